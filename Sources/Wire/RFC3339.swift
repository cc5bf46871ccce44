/// Dates as text: RFC 3339, written in UTC with milliseconds.
public enum RFC3339 {
  /// The first and the last moment with a year of four digits, in ms since 1970.
  private static let range: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

  /// The text of a moment in ms since 1970, such as `2026-11-30T08:15:20.000Z`; years outside 1…9999 are clamped.
  public static func text(_ milliseconds: Int64) -> String {
    var bytes: [UInt8] = []
    append(milliseconds, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the same text, without the detour over a string.
  static func append(_ milliseconds: Int64, to bytes: inout [UInt8]) {
    let moment = min(max(milliseconds, range.lowerBound), range.upperBound)
    let days = floorDivide(moment, 86_400_000)
    let rest = moment - days * 86_400_000
    let (year, month, day) = civil(days)
    func write(_ value: Int64, _ width: Int, then separator: Unicode.Scalar) {
      bytes.append(digits: UInt64(value), width: width)
      bytes.append(UInt8(ascii: separator))
    }
    write(year, 4, then: "-")
    write(month, 2, then: "-")
    write(day, 2, then: "T")
    write(rest / 3_600_000, 2, then: ":")
    write(rest / 60_000 % 60, 2, then: ":")
    write(rest / 1000 % 60, 2, then: ".")
    write(rest % 1000, 3, then: "Z")
  }

  /// The moment, in ms since 1970, that a text with a zone names; nil if it is not RFC 3339.
  public static func milliseconds(_ text: String) -> Int64? {
    var rest = Array(text.utf8)[...]
    guard let year = digits(4, &rest), take("-", &rest), let month = digits(2, &rest), take("-", &rest),
      let day = digits(2, &rest), take("Tt ", &rest), let hour = digits(2, &rest), take(":", &rest),
      let minute = digits(2, &rest), take(":", &rest), let second = digits(2, &rest),
      (1...12).contains(month), day >= 1, hour < 24, minute < 60, second <= 60
    else { return nil }
    let daysBefore = days(year, month, day)
    guard civil(daysBefore) == (year, month, day) else { return nil }
    var fraction: Int64 = 0
    if take(".", &rest) {
      var scale: Int64 = 100
      guard rest.first.map(isDigit) == true else { return nil }
      while let digit = rest.first, isDigit(digit) {
        fraction += Int64(digit - UInt8(ascii: "0")) * scale
        scale /= 10
        rest.removeFirst()
      }
    }
    guard let zone = zone(&rest), rest.isEmpty else { return nil }
    return ((daysBefore * 24 + hour) * 60 + minute - zone) * 60_000 + second * 1000 + fraction
  }

  /// The zone's offset in minutes.
  private static func zone(_ rest: inout ArraySlice<UInt8>) -> Int64? {
    if take("Zz", &rest) { return 0 }
    let east = rest.first == UInt8(ascii: "+")
    guard take("+-", &rest), let hours = digits(2, &rest), take(":", &rest), let minutes = digits(2, &rest),
      hours < 24, minutes < 60
    else { return nil }
    return (east ? 1 : -1) * (hours * 60 + minutes)
  }

  /// Days since 1970 of a civil date (Hinnant, "chrono-compatible low-level date algorithms").
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = floorDivide(shifted, 400)
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// The civil date of a day since 1970 (the same source).
  private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = floorDivide(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  private static func floorDivide(_ value: Int64, _ by: Int64) -> Int64 {
    value >= 0 ? value / by : -((by - 1 - value) / by)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

  private static func digits(_ count: Int, _ rest: inout ArraySlice<UInt8>) -> Int64? {
    guard rest.count >= count, rest.prefix(count).allSatisfy(isDigit) else { return nil }
    defer { rest.removeFirst(count) }
    return rest.prefix(count).reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
  }

  private static func take(_ any: StaticString, _ rest: inout ArraySlice<UInt8>) -> Bool {
    guard let first = rest.first, any.description.utf8.contains(first) else { return false }
    rest.removeFirst()
    return true
  }
}
