public import Motion

/// A source whose samples are looked at: what is wrong with their unit, gravity or rate is said once, as a warning, and
/// again where the source was lost in between.
///
/// Where a source does not know its rate it is told, once it was measured, by describing the source again as `found`.
public struct CheckedSource: AccelerometerSource {
  private let source: any AccelerometerSource

  /// Looks at the samples of a source.
  public init(_ source: any AccelerometerSource) { self.source = source }

  /// Runs the source.
  public nonisolated(nonsending)
    func run(_ deliver: nonisolated(nonsending) (SensorEvent) async -> Void) async throws(SensorError)
  {
    var state = State()
    try await source.run { event in
      await deliver(event)
      for said in state.take(event) { await deliver(said) }
    }
  }

  private struct State {
    private var description: SensorDescription?
    private var check = SignalCheck(unit: .g)
    private var said: Set<String> = []
    private var isRateKnown = true

    mutating func take(_ event: SensorEvent) -> [SensorEvent] {
      switch event {
      case .opened(let description), .found(let description):
        self.description = description
        check = SignalCheck(unit: description.unit ?? .g)
        isRateKnown = description.rate != nil
        return []
      case .samples(let samples):
        guard var description else { return [] }
        var events: [SensorEvent] = []
        for sample in samples {
          guard let finding = check.take(sample) else { continue }
          let isNew = said.insert("\(finding.kind) of \(description.name)").inserted
          if isNew { events.append(.warning(finding.text(of: description))) }
        }
        if !isRateKnown, let rate = check.rate {
          isRateKnown = true
          description.rate = (rate * 10).rounded() / 10
          self.description = description
          events.append(.found(description))
        }
        return events
      case .lost:
        said = []
        return []
      case .pressures, .faults, .warning, .ended: return []
      }
    }
  }
}

/// A look at the samples of a recording that is not played: what is wrong with it, in words.
public struct RecordingCheck {
  private let description: SensorDescription
  private var check = SignalCheck(unit: .g)

  /// Looks at the recording of a path.
  public init(path: String) { description = SensorDescription(kind: .recording, name: path) }

  /// Takes a sample, and says what is wrong, when that becomes known.
  public mutating func take(_ sample: AccelerometerSample) -> String? { check.take(sample)?.text(of: description) }
}

extension SignalCheck.Finding {
  /// What it is about, without the figures: those differ each time that a sender is found again.
  fileprivate var kind: String {
    switch self {
    case .weightless: "gravity"
    case .unit(_, let unit): "unit \(unit)"
    case .scale: "scale"
    case .slow: "rate"
    }
  }

  /// What is wrong, and what to do about it.
  fileprivate func text(of source: SensorDescription) -> String {
    let name = "\(source.kind) \(source.name)"
    switch self {
    case .weightless(let mean):
      return "\(name): the samples come without gravity (\(Self.text(mean)) g on the average): send total acceleration"
    case .unit(let felt, let unit):
      let declared = source.unit ?? .g
      let raw = Self.text(felt / Double(declared.inG))
      let hint =
        source.kind == .recording
        ? "a recording is in g"
        : source.unit == nil ? "the driver's scale is wrong" : "set sensor.unit: \(unit.rawValue)"
      return
        "\(name): feels \(raw) \(declared.rawValue) where gravity is 1 g: this looks like \(unit.rawValue); \(hint)"
    case .scale(let felt):
      let culprit = source.kind == .recording ? "its" : source.unit == nil ? "the driver's" : "the sender's"
      return "\(name): feels \(Self.text(felt)) g at rest instead of 1 g; \(culprit) scale is wrong"
    case .slow(let rate):
      return "\(name): \(Self.text(rate)) samples a second come; have it send at least 10, better 50, to count steps"
    }
  }

  /// A number with three digits that count.
  private static func text(_ value: Double) -> String {
    let factor = value >= 100 ? 1.0 : value >= 1 ? 10 : 1000
    let rounded = (value * factor).rounded() / factor
    return Int(exactly: rounded).map { "\($0)" } ?? "\(rounded)"
  }
}
