import Testing
import Wire

@Suite struct JSONTests {
  @Test(arguments: [
    ("null", JSONValue.null), (" true ", .bool(true)), ("-0", .integer(0)), ("12", .integer(12)),
    ("-9223372036854775808", .integer(.min)),
    ("9223372036854775807", .integer(.max)), ("9223372036854775808", .number(9_223_372_036_854_775_808)),
    ("1.5e3", .integer(1500)), ("1.5", .number(1.5)), ("\"\"", .string("")),
    (#""a\"\\\/\n\u00e9\ud83d\ude00""#, .string("a\"\\/\né😀")),
    ("[]", .array([])), ("[1,[2]]", .array([.integer(1), .array([.integer(2)])])), ("{}", .object([:])),
    (#"{"a":{"b":[null]}, "c":1}"#, .object(["a": .object(["b": .array([.null])]), "c": .integer(1)])),
  ])
  func `JSON is read, and what is written is read as the same`(text: String, value: JSONValue) {
    #expect(JSONValue(json: Array(text.utf8)) == value)
    var written = JSONText()
    value.write(to: &written)
    #expect(JSONValue(json: written.bytes) == value)
  }

  @Test(arguments: [
    "", " ", "nul", "truer", "01", "1.", ".5", "+1", "1e", "-", "NaN", "1e999", "\"", "\"\u{1}\"", #""\x""#, #""\u12""#,
    #""\ud800""#, #""\ud800\u0041""#, #""\udc00""#, "[", "[1 2]", "{", "{1:2}", #"{"a"}"#, #"{"a":}"#,
    "{} {}", "'a'", "[1]]", #"{"a":1"#,
  ])
  func `anything else is refused`(text: String) {
    #expect(JSONValue(json: Array(text.utf8)) == nil)
  }

  @Test func `nesting is bounded on its way down`() {
    func nested(_ depth: Int) -> [UInt8] { Array(String(repeating: "[", count: depth).utf8) }
    #expect(JSONValue(json: nested(3) + Array("]]]".utf8), depth: 3) != nil)
    #expect(JSONValue(json: nested(4) + Array("]]]]".utf8), depth: 3) == nil)
    #expect(JSONValue(json: nested(1_000_000), depth: 8) == nil)
  }

  @Test func `invalid UTF-8 is refused`() {
    #expect(JSONValue(json: [0x22, 0xC3, 0x28, 0x22]) == nil)
  }

  @Test func `what JSON cannot hold is written as null`() {
    #expect(JSONText.object { $0.member("a", Double.nan) } == Array(#"{"a":null}"#.utf8))
    #expect(JSONText.object { $0.member("a\"\u{7f}", "\u{0}\n/") } == Array(#"{"a\"\u007f":"\u0000\n/"}"#.utf8))
  }
}
