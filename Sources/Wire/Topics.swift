/// The topics of one device below one root.
public struct Topics: Sendable, Equatable {
  /// The root of all topics, such as `steps2mqtt`.
  public let root: String
  /// The device's id, `[A-Za-z0-9_-]{1,64}`.
  public let device: String
  /// The groups whose commands the device obeys.
  public let groups: [String]
  /// Home Assistant's discovery prefix; nil where Home Assistant is not to know of the device.
  public let homeAssistant: String?
  /// Where the wearer's OwnTracks publishes positions, such as `owntracks/anna/phone`; nil where none are wanted.
  public let ownTracks: String?

  /// Makes the topics of a device; ids are taken as they are, see `isID(_:)`.
  public init(
    root: String = "steps2mqtt", device: String, groups: [String] = [], homeAssistant: String? = nil,
    ownTracks: String? = nil
  ) {
    self.root = root
    self.device = device
    self.groups = groups
    self.homeAssistant = homeAssistant
    self.ownTracks = ownTracks
  }

  /// What stands in a device's place where all devices are meant.
  public static let everyone = "_all"
  /// What stands in a device's place where a group is meant, whose name follows as a level of its own.
  public static let group = "_group"

  /// Whether a device may be called so: an id, but none of the two words by which many are addressed.
  public static func isDevice(_ text: String) -> Bool { isID(text) && text != everyone && text != group }

  /// Whether a text may be a device's or group's id: `[A-Za-z0-9_-]{1,64}`.
  public static func isID(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }

  /// `online` or `offline`, retained; also the will.
  public var availability: String { own("availability") }
  /// The birth message, retained.
  public var info: String { own("info") }
  /// The latest snapshot, retained.
  public var state: String { own("state") }
  /// Step records, live.
  public var steps: String { own("steps") }
  /// Event records, live.
  public var event: String { own("event") }
  /// Records replayed after an outage.
  public var history: String { own("history") }
  /// The device's vital signs, retained.
  public var health: String { own("health") }
  /// Commands for this device.
  public var command: String { own("command") }
  /// What a person is told.
  public var notification: String { own("notification") }
  /// Answers to commands.
  public var response: String { own("response") }
  /// What `check` sends to itself, to see whether the broker lets it through.
  public var check: String { own("check") }

  /// Home Assistant's discovery topic of this device; nil where it is not to know of it.
  public var discovery: String? { homeAssistant.map { "\($0)/device/\(device)/config" } }
  /// Where Home Assistant says that it started.
  public var homeAssistantStatus: String? { homeAssistant.map { "\($0)/status" } }

  /// All topics on which commands for this device may come.
  public var commands: [String] {
    [command, "\(root)/\(Self.everyone)/command"] + groups.map { "\(root)/\(Self.group)/\($0)/command" }
  }

  /// Where OwnTracks says where the wearer is, and that they crossed the border of a region of the phone's.
  public var positions: [String] { ownTracks.map { [$0, "\($0)/event"] } ?? [] }

  /// What the device subscribes to, all at QoS 1.
  public var subscriptions: [String] {
    commands + (homeAssistantStatus.map { [$0] } ?? []) + positions
  }

  /// What the topics below each device are called, save that of answers.
  private static let leaves: Set<Substring> = [
    "availability", "info", "state", "steps", "event", "history", "health", "command", "notification", "check",
  ]

  /// Whether answers may go to a topic: below the root or an allowed prefix, never to one that means something else to
  /// whoever reads it, no wildcard.
  public func allowsResponse(to topic: String, prefixes: [String] = []) -> Bool {
    guard !topic.isEmpty, topic.utf8.count <= 512,
      !topic.unicodeScalars.contains(where: { $0 == "#" || $0 == "+" || $0.value == 0 }),
      !Self.leaves.contains(topic.split(separator: "/", omittingEmptySubsequences: false).last ?? "")
    else { return false }
    return ([root] + prefixes).contains { topic.hasPrefix($0.hasSuffix("/") ? $0 : $0 + "/") }
  }

  private func own(_ leaf: String) -> String { "\(root)/\(device)/\(leaf)" }
}
