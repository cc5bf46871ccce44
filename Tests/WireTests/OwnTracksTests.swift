import Testing
import Wire

@Suite struct OwnTracksTests {
  private static let place = Coordinate(latitude: 52.5163, longitude: 13.3777)

  @Test func `a location is read with its accuracy and its time`() throws {
    let payload = #"""
      {"_type":"location","BSSID":"0:0:0:0:0:0","acc":13,"alt":36,"batt":80,"bs":1,"conn":"w","created_at":1796026501,
       "lat":52.5163,"lon":13.3777,"m":1,"t":"u","tid":"an","tst":1796026500,"vac":2,"vel":0}
      """#
    let place = try #require(Self.place)
    #expect(
      OwnTracks(payload: Array(payload.utf8))
        == .location(Position(place, accuracy: 13), time: 1_796_026_500_000))
  }

  @Test(arguments: [("enter", true), ("leave", false)])
  func `a transition is read with the name of its region`(event: String, isEntering: Bool) throws {
    let payload = #"""
      {"_type":"transition","acc":8.5,"desc":"Home","event":"\#(event)","lat":52.5163,"lon":13.3777,"rid":"6da9cf",
       "t":"c","tid":"an","tst":1796026500,"wtst":1700000000}
      """#
    let place = try #require(Self.place)
    #expect(
      OwnTracks(payload: Array(payload.utf8))
        == .transition(
          isEntering: isEntering, region: "Home", Position(place, accuracy: 8.5), time: 1_796_026_500_000))
  }

  @Test func `a position without accuracy has none`() throws {
    let payload = #"{"_type":"location","lat":52.5163,"lon":13.3777,"tst":1796026500}"#
    let place = try #require(Self.place)
    #expect(
      OwnTracks(payload: Array(payload.utf8)) == .location(Position(place, accuracy: nil), time: 1_796_026_500_000))
  }

  @Test func `an encrypted payload is told from a malformed one`() {
    #expect(OwnTracks(payload: Array(#"{"_type":"encrypted","data":"3q2+7w=="}"#.utf8)) == .encrypted)
  }

  @Test(arguments: ["lwt", "waypoint", "waypoints", "card", "cmd", "steps", "status", "something new"])
  func `what else the app says is passed over`(type: String) {
    #expect(OwnTracks(payload: Array(#"{"_type":"\#(type)","tst":1796026500}"#.utf8)) == .other)
  }

  @Test(arguments: [
    "", "{", "[]", "52.5163,13.3777", #"{"lat":1,"lon":2,"tst":1796026500}"#, #"{"_type":7}"#,
    #"{"_type":"location","lat":91,"lon":0,"acc":5,"tst":1796026500}"#,
    #"{"_type":"location","lat":0,"lon":181,"acc":5,"tst":1796026500}"#,
    #"{"_type":"location","lat":"0","lon":0,"acc":5,"tst":1796026500}"#,
    #"{"_type":"location","lat":0,"lon":0,"acc":5}"#, #"{"_type":"location","lat":0,"lon":0,"acc":5,"tst":0}"#,
    #"{"_type":"location","lat":0,"lon":0,"acc":5,"tst":1e300}"#,
    #"{"_type":"transition","event":"stay","desc":"Home","tst":1796026500}"#,
    #"{"_type":"transition","event":"enter","tst":1796026500}"#,
    #"{"_type":"location","lat":0,"lon":0,"acc":5,"tst":1796026500,"x":[[[[[[[[[1]]]]]]]]]}"#,
  ])
  func `what is no position is refused`(payload: String) {
    #expect(OwnTracks(payload: Array(payload.utf8)) == nil)
  }

  @Test func `what is too large is refused`() {
    let long = #"{"_type":"other","x":""# + String(repeating: "x", count: OwnTracks.maximumSize) + #""}"#
    #expect(OwnTracks(payload: Array(long.utf8)) == nil)
  }
}
