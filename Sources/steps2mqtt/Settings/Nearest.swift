/// The word among some that is written most like another, where one is near enough to be meant.
func nearest(to word: String, among words: some Sequence<String>) -> String? {
  let wanted = Array(word.lowercased().utf8.prefix(100))
  var best: (word: String, distance: Int)?
  for candidate in words where abs(candidate.utf8.count - wanted.count) <= 3 {
    let distance = editDistance(wanted, Array(candidate.lowercased().utf8))
    if distance < best?.distance ?? Int.max { best = (candidate, distance) }
  }
  // A third of the word may differ: more would suggest what was not meant.
  guard let best else { return nil }
  let length = best.word.split(separator: ".").last?.count ?? 0
  return best.distance <= (length < 3 ? 0 : max(1, min(3, length / 3))) ? best.word : nil
}

/// The least number of insertions, deletions, replacements and swaps of neighbours that make one word the other.
func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
  var before = [Int](repeating: 0, count: b.count + 1)
  var last = Array(0...b.count)
  for i in a.indices {
    var row = [i + 1]
    for j in b.indices {
      var cost = min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, before[j - 1] + 1) }
      row.append(cost)
    }
    before = last
    last = row
  }
  return last[b.count]
}
