import Testing

@testable import Sensors

/// Scans a text as a number; the line feed behind it is what a line has.
private func scan(_ text: String) -> (number: DecimalNumber, rest: Int)? {
  let bytes = Array(text.utf8) + [UInt8(ascii: "\n")]
  var index = 0
  guard let number = DecimalNumber(scanning: bytes.span, at: &index) else { return nil }
  return (number, bytes.count - 1 - index)
}

struct DecimalNumberTests {
  @Test(arguments: [
    "0", "-0", "1", "+1", "-1.5", ".5", "5.", "0.001", "-0.0001234", "00012.50", "1e0", "1E-3", "2.5e+0", "16777217",
    "9007199254740993", "123456789012345678", "9223372036854775807", "1844674407370955161e-19", "0.1", "0.3",
    "1668273645.123456789", "8.589934592e-9", "-9.80665", "0.00000000000000001",
  ])
  func `is the nearest Double and Float of what is written`(text: String) throws {
    let (number, rest) = try #require(scan(text))
    #expect(rest == 0)
    #expect(try #require(number.double).bitPattern == Double(text)?.bitPattern)
    #expect(try #require(number.float).bitPattern == Float(text)?.bitPattern)
  }

  @Test(arguments: ["", "-", "+", ".", "-.", "e5", "1e", "1e+", "x", "nan", "inf", "--1"])
  func `is not there`(text: String) {
    #expect(scan(text) == nil)
  }

  @Test(arguments: [("1.2.3", 2), ("1x", 1), ("0x10", 3), ("1 ", 1), ("1,2", 2), ("1-2", 2)])
  func `ends where the number ends`(text: String, rest: Int) throws {
    #expect(try #require(scan(text)).rest == rest)
  }

  @Test(arguments: ["12345678901234567890", "1e30", "1e-30", "0.12345678901234567890", "1e99999999999999999999"])
  func `leaves to the standard library what sensors do not write`(text: String) throws {
    let (number, rest) = try #require(scan(text))
    #expect(rest == 0)
    #expect(number.double == nil && number.float == nil)
  }

  @Test func `agrees with the standard library on 100,000 random decimals`() throws {
    var random = SplitMix(seed: 7)
    var decided = 0
    for _ in 0..<100_000 {
      let text = decimal(using: &random)
      let (number, rest) = try #require(scan(text))
      if rest != 0 { Issue.record("\(text) was not read to its end") }
      if let double = number.double {
        decided += 1
        if double.bitPattern != Double(text)?.bitPattern { Issue.record("\(text) as Double gave \(double)") }
      }
      if let float = number.float, float.bitPattern != Float(text)?.bitPattern {
        Issue.record("\(text) as Float gave \(float)")
      }
    }
    #expect(decided > 70_000)
  }

  /// 1 + 2⁻²⁴ lies midway between 1 and the next Float; a little more must go up, however little.
  @Test(arguments: [
    ("1.000000059604644775", Float(1)), ("1.000000059604644776", Float(1).nextUp),
    ("1.00000017881393432", Float(1).nextUp), ("1.00000017881393433", Float(1).nextUp.nextUp),
  ])
  func `rounds once at the middle between two Floats`(text: String, expected: Float) throws {
    #expect(try #require(scan(text)).number.float == expected)
  }

  private func decimal(using random: inout SplitMix) -> String {
    let digits = Int.random(in: 1...19, using: &random)
    var text = ["", "-", "+"].randomElement(using: &random) ?? ""
    let point = Int.random(in: 0...digits, using: &random)
    for place in 0..<digits {
      if place == point { text += "." }
      text += String(Int.random(in: 0...9, using: &random))
    }
    if Int.random(in: 0..<8, using: &random) == 0 { text += "e\(Int.random(in: -12...3, using: &random))" }
    return text
  }
}
