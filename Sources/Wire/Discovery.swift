internal import Motion

/// Home Assistant's device-based discovery: one payload that makes the device with all its entities.
///
/// Unknown keys in `device` or `origin` would refuse the whole; `qos` is set in each component since 2026.2 does not
/// inherit it; `default_entity_id` replaces `object_id`. Figures are read from `state` alone, pauses from `event`, so
/// nothing that is replayed through `history` reaches Home Assistant.
public struct Discovery: Sendable, Equatable {
  /// The device's topics.
  public var topics: Topics
  /// The device's name for people; the id where it is empty.
  public var name: String
  /// The agent's version.
  public var version: String
  /// Whether the device counts floors.
  public var hasFloors: Bool

  /// Makes the discovery of a device; floors are only for one with a barometer.
  public init(topics: Topics, name: String, version: String, hasFloors: Bool = false) {
    self.topics = topics
    self.name = name
    self.version = version
    self.hasFloors = hasFloors
  }

  /// The payload of the discovery topic.
  public var json: [UInt8] {
    let unique = "steps2mqtt_\(topics.device)"
    return JSONText.object { text in
      text.member("device") { device in
        device.member("identifiers", [unique])
        device.member("name", name.isEmpty ? topics.device : name)
        device.member("manufacturer", "steps2mqtt")
        device.member("model", "step counter")
        // Commands and topics go by the id, which the name hides.
        device.member("serial_number", topics.device)
        device.member("sw_version", version)
      }
      text.member("origin") { origin in
        origin.member("name", "steps2mqtt")
        origin.member("sw_version", version)
      }
      text.member("availability_topic", topics.availability)
      text.member("components") { components in
        for component in Self.components + (hasFloors ? Self.floors : []) {
          components.member(component.key) { object in
            object.member("platform", component.platform)
            object.member("unique_id", "\(unique)_\(component.key)")
            object.member("default_entity_id", "\(component.platform).\(entityName(component.key))")
            object.member("name", component.name)
            object.member("qos", 1)
            component.add(&object, topics)
          }
        }
      }
    }
  }

  /// An entity's name within its platform: lower case, words joined by one underscore, none at either end.
  private func entityName(_ key: String) -> String {
    (topics.device.lowercased().split { $0 == "-" || $0 == "_" } + [key[...]]).joined(separator: "_")
  }

  private struct Component: Sendable {
    let key: String
    let platform: String
    let name: String
    let add: @Sendable (inout JSONText, Topics) -> Void
  }

  private static func sensor(
    _ key: String, _ name: String, field: String, unit: String?, stateClass: String?, icon: String,
    deviceClass: String? = nil, extra: @escaping @Sendable (inout JSONText, Topics) -> Void = { _, _ in }
  ) -> Component {
    Component(key: key, platform: "sensor", name: name) { object, topics in
      object.member("state_topic", topics.state)
      object.member("value_template", "{{ value_json.\(field) }}")
      if let unit { object.member("unit_of_measurement", unit) }
      if let deviceClass { object.member("device_class", deviceClass) }
      if let stateClass { object.member("state_class", stateClass) }
      object.member("icon", icon)
      extra(&object, topics)
    }
  }

  private static let floors: [Component] = [
    sensor(
      "floors_ascended", "Floors climbed", field: "floors_ascended", unit: "floors", stateClass: "total_increasing",
      icon: "mdi:stairs-up"),
    sensor(
      "floors_descended", "Floors descended", field: "floors_descended", unit: "floors", stateClass: "total_increasing",
      icon: "mdi:stairs-down"),
  ]

  private static let components: [Component] = [
    sensor(
      "session_steps", "Session steps", field: "session_steps", unit: "steps", stateClass: "total_increasing",
      icon: "mdi:shoe-print"),
    sensor(
      "today_steps", "Steps today", field: "today_steps", unit: "steps", stateClass: "total_increasing",
      icon: "mdi:shoe-print"),
    sensor(
      "total_steps", "Total steps", field: "total_steps", unit: "steps", stateClass: "total_increasing",
      icon: "mdi:shoe-print"),
    sensor(
      "distance", "Distance", field: "distance_m", unit: "m", stateClass: "total_increasing",
      icon: "mdi:map-marker-distance", deviceClass: "distance"
    ) { object, _ in object.member("suggested_display_precision", 0) },
    sensor(
      "cadence", "Cadence", field: "cadence_spm", unit: "steps/min", stateClass: "measurement", icon: "mdi:metronome"
    ) { object, _ in object.member("suggested_display_precision", 0) },
    sensor(
      "activity", "Activity", field: "activity", unit: nil, stateClass: nil, icon: "mdi:run", deviceClass: "enum"
    ) { object, topics in
      object.member("options", MotionActivity.Kind.allCases.map(\.rawValue))
      object.member("json_attributes_topic", topics.state)
      object.member("json_attributes_template", "{{ {'confidence': value_json.confidence} | tojson }}")
    },
    Component(key: "walking", platform: "binary_sensor", name: "Walking") { object, topics in
      object.member("state_topic", topics.state)
      object.member("value_template", "{{ 'ON' if value_json.walking else 'OFF' }}")
      object.member("device_class", "moving")
    },
    Component(key: "pedometer", platform: "event", name: "Pedometer") { object, topics in
      object.member("state_topic", topics.event)
      // Other types would be warned about in its log, nothing at all is passed over; what the entity has no use for
      // would fill its database as attributes.
      object.member(
        "value_template",
        "{% if value_json.event_type in ('pause', 'resume') %}{{ {'event_type': value_json.event_type, "
          + "'steps': value_json.steps, 'ts': value_json.ts} | tojson }}{% endif %}")
      object.member("event_types", ["pause", "resume"])
      object.member("icon", "mdi:play-pause")
    },
    Component(key: "counting", platform: "switch", name: "Counting") { object, topics in
      object.member("state_topic", topics.state)
      object.member("command_topic", topics.command)
      object.member("value_template", "{{ 'started' if value_json.started else 'stopped' }}")
      object.member("payload_on", "start")
      object.member("payload_off", "stop")
      object.member("state_on", "started")
      object.member("state_off", "stopped")
      object.member("icon", "mdi:walk")
    },
  ]
}
