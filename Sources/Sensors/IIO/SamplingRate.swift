/// The choice of a rate among those that a sensor can do.
enum SamplingRate {
  /// The rates with which the motion engine can work, in samples/s.
  static let useful = 10.0...200.0

  /// The rates that can be true of an accelerometer, in samples/s: the slowest chips do 0.78, the fastest some 50,000.
  private static let plausible = 0.1...1e6

  /// The rate that the kernel tells, in samples/s; nil where it tells none, or one that cannot be.
  static func read(_ text: String?) -> Double? {
    text.flatMap { Double($0) }.flatMap { plausible.contains($0) ? $0 : nil }
  }

  /// The rate to ask for, in samples/s: the lowest that is at least as high as wanted, else the highest below it.
  ///
  /// `available` is what the kernel writes: a list `1 10 25 50` or a range `[1 1 100]` (lowest, step, highest). Without
  /// it, or where no number can be read, what is wanted is asked for, and the driver has the last word.
  static func choose(_ wanted: Double, from available: String?) -> Double {
    guard let available else { return wanted }
    let numbers = numbers(in: available)
    if available.contains("["), numbers.count == 3 {
      return min(max(wanted, numbers[0]), max(numbers[0], numbers[2]))
    }
    let rates = numbers.filter(useful.contains)
    let choice = rates.isEmpty ? numbers : rates
    return choice.filter { $0 >= wanted }.min() ?? choice.max() ?? wanted
  }

  /// The highest rate up to 400 among those that are available, in samples/s; nil where none are named.
  ///
  /// Beyond that some chips measure with fewer bits.
  static func highest(of available: String?) -> Double? {
    available.flatMap { numbers(in: $0).filter { $0 <= 400 }.max() }
  }

  /// A rate as drivers read it: some take no fraction, not even `50.0`.
  static func text(_ rate: Double) -> String {
    Int(exactly: rate).map { "\($0)" } ?? "\(rate)"
  }

  private static func numbers(in text: String) -> [Double] {
    text.split { $0.isWhitespace || $0 == "[" || $0 == "]" }.compactMap { Double($0) }.filter { $0 > 0 && $0.isFinite }
  }

  /// How many samples of a rate come together, for at most 0.16 s; at least one.
  ///
  /// Wake-ups cost battery and samples must not be late by more than 0.2 s.
  static func together(_ rate: Double?) -> Int {
    guard let rate, rate.isFinite else { return 4 }
    return max(1, Int(min(rate * 0.16, 64)))
  }
}
