import Motion
import Sensors

/// What a look at a sensor found, for `check`.
struct SensorLook {
  /// For so long, in s of the samples' own time, they are looked at: what is wrong with a unit shows in three.
  private static let enough = 4.0
  /// The rate, where a source does not say it, shows in ten.
  private static let enoughForRate = 11.0

  private var description: SensorDescription?
  private var first: Double?
  private var last = 0.0
  private var warnings: [String] = []
  /// How many samples came.
  private(set) var samples = 0
  /// Why there are none.
  private(set) var failure: String?
  /// What is known of the sensor.
  private(set) var sensor = Capabilities.Sensor.unknown

  /// Takes what the source says.
  mutating func take(_ event: SensorEvent) {
    switch event {
    case .opened(let description), .found(let description):
      self.description = description
      sensor = .present(rate: description.rate)
    case .samples(let chunk):
      samples += chunk.count
      first = first ?? chunk.first?.time
      last = chunk.last?.time ?? last
    case .lost(let error):
      sensor = error.code == .notPermitted ? .denied : .absent
      let hint = error.code == .silent ? ": is the device running, and does it send here?" : ""
      failure = failure ?? error.message + hint
    case .warning(let text): warnings.append(text)
    case .pressures, .faults, .ended: break
    }
  }

  /// Whether that is enough; what is played is known beforehand.
  var isDone: Bool {
    guard let description, let first else { return false }
    return description.kind.isPlayed || last - first >= (description.rate == nil ? Self.enoughForRate : Self.enough)
  }

  /// What was found, in a line; what is wrong with it follows.
  var summary: String {
    var text = description.map { "\($0.kind) \($0.name)" } ?? ""
    if let rate = description?.rate { text += ", \(Text.number(rate, 1)) Hz" }
    text += "; \(samples) samples came"
    return ([text] + warnings.map { "        WARNING        \($0)" }).joined(separator: "\n")
  }
}
