import Sensors
import Wire

/// How the device of a message is named after it.
///
/// `{1}`, `{2}`, … are what stands for the wildcards of the topic, `{device}` is the device that a batch of Sensor Logger
/// names.
struct DeviceTemplate: Sendable {
  private let filter: [Substring]
  private let template: String

  /// For a topic filter and a template.
  init(topic: String, template: String) {
    filter = topic.split(separator: "/", omittingEmptySubsequences: false)
    self.template = template
  }

  /// The device that a message is of; nil where it names none.
  ///
  /// Characters that no device may have become `-`.
  func device(topic: String, payload: [UInt8]) -> String? {
    var name = template
    for (index, level) in wildcards(of: topic).enumerated() { name = name.replacing("{\(index + 1)}", with: level) }
    if name.contains("{device}") {
      guard let device = MessageReader.device(in: payload) else { return nil }
      name = name.replacing("{device}", with: device)
    }
    let id = String(String.UnicodeScalarView(name.unicodeScalars.prefix(64).map { $0.isWord ? $0 : "-" }))
    return Topics.isDevice(id) ? id : nil
  }

  private func wildcards(of topic: String) -> [String] {
    let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
    return filter.indices.compactMap { index in
      guard index < levels.count else { return nil }
      switch filter[index] {
      case "+": return String(levels[index])
      case "#": return levels[index...].joined(separator: "-")
      default: return nil
      }
    }
  }
}
