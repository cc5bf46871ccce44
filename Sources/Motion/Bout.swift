/// Which beats of the chain are steps of this bout.
struct Bout: Sendable {
  /// The least height of a step, in g, and relative to the median of the last eight.
  static let leastHeight: Float = 0.028
  static let leastShare: Float = 0.18
  /// The number of beats in a row that may be lower than that, if good ones follow.
  static let mostWeak = 3
  /// The number of beats that confirm a bout.
  static let confirming = 4
  /// How far before the gate's own beginning of the bout steps are looked for, in samples (1.8 s).
  static let lookBack: Int32 = 45

  /// The sample of the last step of all bouts; far in the past before the first one.
  private(set) var lastStep: Int32 = Int32.min / 2
  /// The sample of the last good beat, whether it was counted or not.
  private(set) var lastBeat: Int32 = Int32.min / 2
  /// Whether the bout has been confirmed, that is, has given its first steps.
  private(set) var isConfirmed = false
  private var heights = InlineArray<8, Float>(repeating: 0)
  private var heightCount = 0
  private var leastHeight = Bout.leastHeight
  /// The height that a good beat has now, in g.
  private var good = Bout.leastHeight

  /// Begins a bout that has yet to be confirmed.
  mutating func begin() {
    isConfirmed = false
    heightCount = 0
    good = Bout.leastHeight
  }

  /// Takes note that all samples have numbers now that are lower by some; what lies an era back stays as far as it is.
  mutating func renumber(by era: Int32) {
    lastStep = max(lastStep, 0) &- era
    lastBeat = max(lastBeat, 0) &- era
  }

  /// Finds which beats of a chain are new steps, at most up to a certain sample, and moves them to its front, oldest first.
  ///
  /// - Returns: how many they are.
  mutating func steps(
    in chain: inout BeatTracker.Chain, begun: Int32, until: Int32, leastHeight: Float
  ) -> Int {
    self.leastHeight = leastHeight
    var count = 0
    var first = 0
    if !isConfirmed {
      heightCount = 0
      for i in 0..<chain.count where chain.samples[i] >= begun { note(chain.heights[i]) }
      good = least()
      first = 0
      while first < chain.count, chain.samples[first] < begun { first += 1 }
      while first < chain.count, chain.heights[first] < good { first += 1 }
      while first > 0, chain.heights[first - 1] >= good { first -= 1 }
    }
    var weak = 0
    var lastGood = -1
    for i in first..<max(chain.count, first) {
      guard chain.heights[i] >= good else {
        weak += 1
        continue
      }
      lastBeat = chain.samples[i]
      guard lastBeat <= until else { continue }
      if weak <= Bout.mostWeak, lastGood >= 0 || isConfirmed {
        for j in (i - weak)..<i {
          chain.samples[count] = chain.samples[j]
          count += 1
        }
      }
      weak = 0
      chain.samples[count] = chain.samples[i]
      count += 1
      lastGood = i
      if isConfirmed {
        note(chain.heights[i])
        good = least()
      }
    }
    guard isConfirmed || count >= Bout.confirming else { return 0 }
    isConfirmed = true
    if count > 0 { lastStep = chain.samples[count - 1] }
    return count
  }

  private mutating func note(_ height: Float) {
    heights[heightCount & 7] = height
    heightCount += 1
  }

  private mutating func least() -> Float {
    max(leastHeight, Bout.leastShare * median())
  }

  /// The median of the last eight heights (of the lower middle ones).
  private mutating func median() -> Float {
    let count = min(heightCount, 8)
    guard count > 0 else { return 0 }
    var sorted = heights
    for i in 1..<max(count, 1) {
      let value = sorted[i]
      var j = i
      while j > 0, sorted[j - 1] > value {
        sorted[j] = sorted[j - 1]
        j -= 1
      }
      sorted[j] = value
    }
    return sorted[(count - 1) / 2]
  }
}
