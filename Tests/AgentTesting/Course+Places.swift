internal import Agent
internal import Wire

extension Course {
  /// Degrees of latitude to a metre.
  private static let metre = 1 / 111_195.0
  /// The place from which distances are measured, to the north.
  private static let (latitude, longitude) = (52.5, 13.4)
  static let phone = "owntracks/anna/phone"

  /// A region, a smaller one within it, and one that begins and ends sessions the other way round.
  static let regions: [Region] = [
    (id: "home", metres: 0.0, radius: 100.0, enter: Region.Action.start, leave: Region.Action.stop),
    (id: "garden", metres: 0, radius: 40, enter: .start, leave: .stop),
    (id: "shop", metres: 1000, radius: 100, enter: .stop, leave: .start),
  ].compactMap { region in
    Coordinate(latitude: latitude + region.metres * metre, longitude: longitude).map {
      Region(id: region.id, center: $0, radius: region.radius, enter: region.enter, leave: region.leave)
    }
  }

  /// The wearer is somewhere, or something is said of that which is of no use.
  mutating func travel() {
    let distances = [0.0, 20, 60, 90, 100, 110, 125, 300, 900, 950, 1000, 1130]
    let metres = distances[pick(0...(distances.count - 1))]
    switch pick(0...9) {
    case 0: world.send(.location(.lost(reason: "gpsd is gone")))
    case 1: find(metres, accuracy: nil)
    case 2: find(metres, accuracy: 500)
    case 3: say(metres, age: 0)
    case 4: say(metres, age: Int64(pick(0...200)))
    case 5:
      if world.isConnected { world.command(#"{"_type":"encrypted"}"#, topic: Self.phone) }
    default: find(metres, accuracy: Double(pick(3...15)))
    }
    if flip() { world.advance(Int64(pick(1...15_000))) }
  }

  private mutating func find(_ metres: Double, accuracy: Double?) {
    guard let place = Coordinate(latitude: Self.latitude + metres * Self.metre, longitude: Self.longitude) else {
      return
    }
    world.send(.location(.position(Position(place, accuracy: accuracy))))
  }

  private mutating func say(_ metres: Double, age: Int64) {
    guard world.isConnected else { return }
    let latitude = Self.latitude + metres * Self.metre
    let time = max(0, world.now.wall / 1000 - age)
    world.command(
      #"{"_type":"location","lat":\#(latitude),"lon":\#(Self.longitude),"acc":10,"tst":\#(time)}"#, topic: Self.phone)
  }

  /// Sessions begin and end by a crossing or a command, and by nothing else; who stands still is known where they are.
  mutating func faultsOfPlaces() -> [String] {
    guard troubles.places else { return [] }
    let metres = [0.0, 70, 300, 1000][pick(0...3)]
    for _ in 0..<3 {
      find(metres, accuracy: 5)
      world.advance(15_000)
    }
    collectConfirmations()
    var faults: [String] = []
    let inside = Self.regions.filter { region in
      Coordinate(latitude: Self.latitude + metres * Self.metre, longitude: Self.longitude)
        .map { $0.distance(to: region.center) < region.radius } ?? false
    }
    let expected = JSONValue.array(inside.map { .string($0.id) })
    let regions = world.retained(world.configuration.topics.state)?["regions"]
    if regions != expected { faults.append("at \(metres) m the state says \(regions ?? .null)") }
    return world.journal.droppedEvents ? faults : faults + faultsOfSessions()
  }

  private func faultsOfSessions() -> [String] {
    var faults: [String] = []
    var sides: [String: Bool] = [:]
    var crossed = false
    var commanded = (started: 0, stopped: 0)
    for record in world.journal.records where record.kind == .event {
      let body = JSONValue(quick: [UInt8(ascii: "{")] + record.body + [UInt8(ascii: "}")])
      let (type, reason) = (body?["event_type"]?.text ?? "", body?["reason"]?.text ?? "")
      switch (type, reason) {
      case ("region_entered", _), ("region_left", _):
        let region = body?["region"]?.text ?? ""
        let isInside = type == "region_entered"
        // To be found outside is told to nobody: who was never told to be inside is outside.
        if sides[region, default: false] == isInside { faults.append("\(type) twice: \(region)") }
        if sides[region] != nil, reason == "determined" { faults.append("the side of \(region) was forgotten") }
        sides[region] = isInside
        crossed = true
      case ("started", "region"), ("stopped", "region"):
        if !crossed { faults.append("\(type) at \(record.seq) without a crossing") }
        crossed = false
      case ("started", "command"): commanded.started += 1
      case ("stopped", "command"): commanded.stopped += 1
      case ("started", let reason), ("stopped", let reason): faults.append("\(type) for \(reason)")
      default: break
      }
    }
    if commanded.started > orders.started { faults.append("\(commanded.started) starts of \(orders.started) commands") }
    if commanded.stopped > orders.stopped { faults.append("\(commanded.stopped) stops of \(orders.stopped) commands") }
    return faults
  }
}
