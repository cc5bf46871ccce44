internal import Wire

extension Machine {
  /// The setting's name under which commands set regions.
  static let regionsKey = "places.regions"

  /// Answers which regions there are, and whether the wearer is in them.
  mutating func listRegions() {
    guard configuration.places.remote != .none else {
      _ = refuse("the configuration does not let commands ask for regions (places.commands)")
      return
    }
    let monitor = places.monitor
    let isSet = places.set != nil
    desk.decide(
      .done, .ok,
      data: JSONText.object { text in
        text.member("set_by", isSet ? "command" : "configuration")
        text.key("regions")
        text.array(monitor.regions) { region, array in
          array.object { object in
            region.add(to: &object)
            object.member("state", monitor.side(of: region.id)?.name ?? "unknown")
          }
        }
      })
  }

  /// Settings that commands may change.
  var configurable: Set<String> {
    configuration.places.remote == .set
      ? configuration.configurable.union([Self.regionsKey]) : configuration.configurable
  }

  /// Watches what a command wants.
  mutating func change(_ regions: RegionChange) {
    switch regions {
    case .own: places.watch(configuration.places.regions, isSet: false)
    case .set(let regions): places.watch(regions, isSet: true)
    }
  }
}

/// What a command wants the regions to be.
enum RegionChange {
  /// Those of the configuration.
  case own
  /// Others.
  case set([Region])

  /// Reads a list of regions, or null for the configuration's.
  init(_ value: JSONValue) throws(RegionFault) {
    self = value == .null ? .own : .set(try Region.list(value))
  }
}

extension RegionMonitor.Side {
  fileprivate var name: String {
    switch self {
    case .inside: "inside"
    case .outside: "outside"
    }
  }
}
