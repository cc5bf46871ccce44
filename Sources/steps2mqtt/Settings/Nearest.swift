/// The word among some that is written most like another, where one is near enough to be meant.
func nearest(to word: String, among words: some Sequence<String>) -> String? {
  let wanted = Array(word.lowercased().utf8.prefix(100))
  var best: (word: String, distance: Int)?
  for candidate in words where abs(candidate.utf8.count - wanted.count) <= 3 {
    // One that is no nearer than the best is of no interest.
    let limit = min(3, (best?.distance ?? 4) - 1)
    guard let distance = editDistance(wanted, Array(candidate.lowercased().utf8), atMost: limit) else { continue }
    best = (candidate, distance)
    if distance == 0 { break }
  }
  // A third of the word may differ: more would suggest what was not meant.
  guard let best else { return nil }
  let length = best.word.split(separator: ".").last?.count ?? 0
  return best.distance <= (length < 3 ? 0 : max(1, min(3, length / 3))) ? best.word : nil
}

/// The least number of insertions, deletions, replacements and swaps of neighbours that make one word the other; nil
/// if it is above a limit.
///
/// Only what lies so near the diagonal is looked at: a hostile file has the program compare many words.
func editDistance(_ a: [UInt8], _ b: [UInt8], atMost limit: Int) -> Int? {
  guard limit >= 0, abs(a.count - b.count) <= limit else { return nil }
  let far = limit + 1
  var before = [Int](repeating: far, count: b.count + 1)
  var last = (0...b.count).map { min($0, far) }
  var row = before
  var leastBefore = far
  for i in a.indices {
    let columns = max(0, i - limit)..<min(b.count, i + far)
    row[columns.lowerBound] = columns.lowerBound == 0 ? min(i + 1, far) : far
    var least = row[columns.lowerBound]
    for j in columns {
      var cost = min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, before[j - 1] + 1) }
      row[j + 1] = min(cost, far)
      least = min(least, cost)
    }
    if columns.upperBound < b.count { row[columns.upperBound + 1] = far }
    // Two rows: a swap reaches back over one.
    guard min(least, leastBefore) <= limit else { return nil }
    leastBefore = least
    swap(&before, &last)
    swap(&last, &row)
  }
  return last[b.count] <= limit ? last[b.count] : nil
}
