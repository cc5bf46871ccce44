import Wire
import YAML

extension Kind where Value == Region {
  /// A circle, as a group of members.
  static var region: Kind {
    Kind(
      list: "such as {id: home, latitude: 52.5163, longitude: 13.3777, radius_m: 100}",
      read: { node throws(Refusal) in
        guard case .mapping(let entries) = node.content else {
          throw Refusal(node, "is not a region such as {id: home, …}, but \(node.content.noun)")
        }
        var members: [String: JSONValue] = [:]
        for entry in entries { members[entry.key] = entry.value.member(entry.key) }
        do throws(RegionFault) { return try Region(members: members) } catch {
          throw Refusal(node, error.reason.printable(at: 160))
        }
      },
      write: { region in
        let name = region.name.isEmpty ? "" : "name: \(region.name.yaml), "
        let (latitude, longitude) = (region.center.latitude.plain, region.center.longitude.plain)
        return "{id: \(region.id.yaml), \(name)latitude: \(latitude), longitude: \(longitude), "
          + "radius_m: \(region.radius.plain), enter: \(region.enter.rawValue), leave: \(region.leave.rawValue)}"
      })
  }
}

extension Kind where Value == String {
  /// A topic, or none.
  static var topicOrNone: Kind {
    let topic = Kind<String>.topic
    return Kind(
      .text, form: "a topic such as owntracks/anna/phone, or \"\" for none",
      parse: { text in
        if text.isEmpty { return "" }
        return try? topic.read(topic.node(from: text))
      }, write: { $0.yaml })
  }

  /// Words for a person, with gaps.
  static var template: Kind {
    let gaps = TextTemplate.Gap.allCases.map { "{\($0.rawValue)}" }
    return text("a line that may have \(gaps.dropLast().joined(separator: ", ")) and \(gaps.last ?? "")") {
      $0.utf8.count <= 500 && TextTemplate($0) != nil
    }
  }
}

extension Node {
  /// The value of a region's member: words for its names, figures for the rest.
  fileprivate func member(_ key: String) -> JSONValue {
    guard case .scalar(let text, let isPlain) = content, !isNull else { return .null }
    let isFigure = ["latitude", "longitude", "radius_m"].contains(key)
    if isFigure, isPlain, let figure = text.asDecimal { return .number(figure) }
    return .string(text)
  }
}
