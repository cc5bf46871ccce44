/// Whether the wearer is on foot: the evidence of each look is summed up (a CUSUM), so that one doubtful look neither
/// begins nor ends a bout.
struct Gate: Sendable {
  /// The sum's floor and cap, and what one look can add or take: a bout opens after at least two looks, and lasts for at
  /// least seven bad ones once it is certain.
  static let floor: Float = -4
  static let cap: Float = 22
  static let mostEvidence: Float = 4
  /// The sum above which a bout opens, and that below which it closes.
  ///
  /// Measured: an opening sum of 7.5 came half a second later and let in a tenth fewer false steps, which the doubts that
  /// go into the evidence keep out at less of a delay. A closing sum of 1 let pauses be told in the midst of walks.
  static let opening: Float = 1.5
  static let closing: Float = -3
  /// The samples before the end of certainty that are left out (0.2 s).
  static let margin: Int32 = 5

  /// What a look did.
  enum Change: Sendable {
    /// The bout goes on, or there is still none.
    case none
    /// A bout was opened.
    case opened
    /// The bout was closed.
    case closed
  }

  /// The evidence so far.
  private(set) var evidence: Float = Gate.floor
  /// Whether a bout is open.
  private(set) var isOpen = false
  /// The sample at which the evidence last lay on the floor: a bout began about then.
  private(set) var floorAt: Int32 = 0
  /// The sample up to which the bout is certain.
  private(set) var certainUntil: Int32 = 0
  private var top: Float = 0

  /// Takes the evidence of a look at a sample: the logarithm of the odds that the wearer is on foot.
  mutating func take(_ logOdds: Float, at sample: Int32) -> Change {
    let held = min(max(logOdds, -Gate.mostEvidence), Gate.mostEvidence)
    evidence = min(max(evidence + held, Gate.floor), Gate.cap)
    if isOpen {
      if evidence >= top || evidence >= Gate.cap {
        top = evidence
        certainUntil = sample
      }
      guard evidence < Gate.closing else { return .none }
      close(at: sample)
      return .closed
    }
    if evidence <= Gate.floor { floorAt = sample }
    guard evidence > Gate.opening else { return .none }
    isOpen = true
    top = evidence
    certainUntil = sample
    return .opened
  }

  /// Takes a bout that was certain at the last look for certain up to a sample: the signal ends there.
  mutating func extend(to sample: Int32) {
    if isOpen, evidence >= top { certainUntil = sample &+ Gate.margin }
  }

  /// Closes the bout at a sample.
  mutating func close(at sample: Int32) {
    isOpen = false
    evidence = Gate.floor
    floorAt = sample
  }

  /// Takes note that all samples have numbers now that are lower by some.
  mutating func renumber(by era: Int32) {
    floorAt = max(floorAt, 0) &- era
    certainUntil = max(certainUntil, 0) &- era
  }

  /// Forgets all evidence: the device lies still, or a new signal begins.
  mutating func reset(at sample: Int32) {
    isOpen = false
    evidence = Gate.floor
    floorAt = sample
  }
}
