import Motion
import Testing
import Wire

@Suite struct RegionTests {
  private func list(_ json: String) throws -> [Region] {
    try Region.list(try #require(JSONValue(json: Array(json.utf8))))
  }

  @Test func `a region that was written is read as the same`() throws {
    let center = try #require(Coordinate(latitude: -52.5163, longitude: 180))
    let regions = [
      Region(id: "home", name: "At \"home\"", center: center, radius: 120.5, enter: .nothing, leave: .start),
      Region(id: "work", center: center, radius: 10),
    ]
    var text = JSONText()
    regions.write(to: &text)
    #expect(try Region.list(try #require(JSONValue(json: text.bytes))) == regions)
  }

  @Test func `what may be left out has its default`() throws {
    let region = try #require(try list(#"[{"id":"a","latitude":1,"longitude":2,"radius_m":100}]"#).first)
    #expect(region.title == "a")
    #expect(region.enter == .start)
    #expect(region.leave == .stop)
  }

  @Test(arguments: [
    (#"{}"#, "list"), (#"[1]"#, "object"), (#"[{"latitude":1,"longitude":2,"radius_m":100}]"#, "id must"),
    (#"[{"id":"a b","latitude":1,"longitude":2,"radius_m":100}]"#, "id must"),
    (#"[{"id":"a","latitude":90.1,"longitude":2,"radius_m":100}]"#, "latitude must"),
    (#"[{"id":"a","latitude":1,"longitude":-181,"radius_m":100}]"#, "longitude must"),
    (#"[{"id":"a","latitude":1,"longitude":2,"radius_m":9}]"#, "radius_m must"),
    (#"[{"id":"a","latitude":1,"longitude":2,"radius_m":"100"}]"#, "radius_m must"),
    (#"[{"id":"a","latitude":1,"longitude":2,"radius_m":100,"enter":"go"}]"#, "enter must"),
    (#"[{"id":"a","latitude":1,"longitude":2,"radius_m":100,"name":7}]"#, "name must"),
    (#"[{"id":"a","latitude":1,"longitude":2,"radius_m":100,"radius":100}]"#, "'radius' is none"),
    (
      #"[{"id":"a","latitude":1,"longitude":2,"radius_m":100},{"id":"a","latitude":1,"longitude":2,"radius_m":50}]"#,
      "two regions"
    ),
  ])
  func `what is no list of regions is refused with a reason`(json: String, words: String) throws {
    let fault = #expect(throws: RegionFault.self) { try self.list(json) }
    #expect(fault?.reason.contains(words) == true, "\(fault?.reason ?? "")")
  }

  @Test func `more regions than can be watched are refused`() throws {
    let json = (0...Region.limit).map { #"{"id":"r\#($0)","latitude":1,"longitude":2,"radius_m":100}"# }
    #expect(throws: RegionFault.self) { try self.list("[" + json.joined(separator: ",") + "]") }
  }
}

@Suite struct TextTemplateTests {
  @Test(arguments: [
    ("{steps} steps", "512 steps"), ("no gap", "no gap"), ("", ""), ("{steps}{today_steps}", "5125120"),
    ("{name}: {distance_m} m, {activity}", "wrist: 366 m, walking"), ("at {place}.", "at Home."), ("a } b", "a } b"),
    ("open { end", "open { end"),
  ])
  func `each gap is filled`(text: String, filled: String) throws {
    var state = DeviceState(time: 0, epoch: "e", seq: 1)
    (state.sessionSteps, state.todaySteps, state.totalSteps, state.distance) = (512, 5120, 184_223, 366.1)
    state.activity = .walking
    let template = try #require(TextTemplate(text))
    #expect(DeviceNotification(state, name: "wrist", place: "Home", template: template).text == filled)
  }

  @Test(arguments: ["{step}", "{}", "{steps} {where}", "{ steps }", "{{steps}}"])
  func `a gap that nobody can fill is refused`(text: String) { #expect(TextTemplate(text) == nil) }
}
