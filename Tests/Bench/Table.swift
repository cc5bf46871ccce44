import Glibc
import Host

/// Writes a line, if anybody reads it.
func say(_ line: String) { try? Terminal(.output).write(line + "\n") }

/// Writes a title, and rows below headings; the first column is flush left, numbers are flush right.
func table(_ title: String, _ headings: [String], _ rows: [[String]], notes: [String] = []) {
  let all = [headings] + rows
  let widths = headings.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
  say("\n\(title)")
  for row in all {
    let cells = row.enumerated().map { column, cell in
      let blanks = String(repeating: " ", count: widths[column] - cell.count)
      return column == 0 ? cell + blanks : blanks + cell
    }
    say("  " + cells.joined(separator: "  "))
  }
  for note in notes { say("  * \(note)") }
}

/// A number with so many decimals, and its thousands apart.
func figure(_ value: Double, _ decimals: Int = 0) -> String {
  guard value.isFinite else { return "-" }
  var factor = 1.0
  for _ in 0..<decimals { factor *= 10 }
  let whole = Int((abs(value) * factor).rounded())
  var digits = String(whole)
  if digits.count <= decimals { digits = String(repeating: "0", count: decimals + 1 - digits.count) + digits }
  var text = ""
  for (index, digit) in digits.dropLast(decimals).reversed().enumerated() {
    if index > 0, index % 3 == 0 { text = "," + text }
    text = String(digit) + text
  }
  if decimals > 0 { text += "." + digits.suffix(decimals) }
  return value < 0 && whole > 0 ? "-" + text : text
}

/// A number of whole things.
func figure(_ count: Int) -> String { figure(Double(count)) }

/// The middle of some values.
func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  return sorted.isEmpty ? .nan : sorted[sorted.count / 2]
}

/// How long something keeps a processor, in s: others' work does not count.
func timeOnProcessor(_ body: () throws -> Void) rethrows -> Double {
  func now() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
  let start = now()
  try body()
  return now() - start
}

/// Runs something once and gives its time in s.
func time(_ body: () throws -> Void) rethrows -> Double {
  let start = ContinuousClock.now
  try body()
  return start.duration(to: .now) / .seconds(1)
}

/// The shortest time in s of several runs: what the machine can do when nobody else wants it.
func shortest(of runs: Int, _ body: () throws -> Void) rethrows -> Double {
  var best = Double.infinity
  for _ in 0..<runs { best = min(best, try time(body)) }
  return best
}

/// Why a figure is missing.
struct Unmeasured: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
