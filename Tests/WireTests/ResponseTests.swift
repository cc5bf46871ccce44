import Testing
import Wire

struct ResponseTests {
  private static let done = Response(
    id: "a", command: "status", status: .done, code: .ok, reason: "so", data: Array(#"{"steps":1}"#.utf8),
    state: Array(#"{"steps":2}"#.utf8), seq: 7, time: 1000)

  @Test func `a bare answer keeps its verdict and says once what is gone`() throws {
    let bare = Self.done.bare
    let json = try #require(JSONValue(json: bare.json))
    #expect(json["status"] == .string("done") && json["code"] == .string("ok"))
    #expect(json["data"] == .null && json["state"] == .null && json["seq"] == .integer(7))
    #expect(json["reason"] == .string("so; the rest was given up while the disk took nothing"))
    #expect(bare.bare == bare)
  }

  @Test func `an answer that the broker does not take whole has failed where it was to bring data`() throws {
    let json = try #require(JSONValue(json: Self.done.shortened.json))
    #expect(json["status"] == .string("failed") && json["code"] == .string("too_large"))
    #expect(json["reason"]?.text?.contains("ask for a shorter interval") == true)
    #expect(json["command"] == .string("status") && json["ts"] == .string("1970-01-01T00:00:01.000Z"))
  }

  @Test func `one that brings none stays what it is without the state`() throws {
    let moved = Response(
      id: "a", command: "start", status: .done, code: .alreadyStarted, state: Array("{}".utf8), seq: 7, time: 1000)
    let json = try #require(JSONValue(json: moved.shortened.json))
    #expect(json["status"] == .string("done") && json["code"] == .string("already_started"))
    #expect(json["reason"] == .string("the state is left out, since the broker takes no larger answer"))
  }
}
