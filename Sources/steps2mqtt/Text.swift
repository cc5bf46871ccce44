/// Numbers and times as a person reads them.
enum Text {
  /// A number with so many decimals (0 to 6).
  static func number(_ value: Double, _ decimals: Int) -> String {
    guard value.isFinite else { return "-" }
    let scale = (0..<decimals).reduce(1.0) { power, _ in power * 10 }
    let scaled = (value.magnitude * scale).rounded()
    guard scaled < 1e15 else { return "\(value)" }
    let whole = Int(scaled)
    let sign = value < 0 && whole > 0 ? "-" : ""
    guard decimals > 0 else { return "\(sign)\(whole)" }
    let fraction = String(whole % Int(scale))
    return "\(sign)\(whole / Int(scale))." + String(repeating: "0", count: decimals - fraction.count) + fraction
  }

  /// A value to the nearest thousandth, as JSON carries it.
  static func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }

  /// A length of time: `4.2 s`, `3 min 20 s`, `1 h 05 min`.
  static func duration(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds >= 0, seconds < 1e12 else { return "-" }
    if seconds < 59.95 { return "\(number(seconds, 1)) s" }
    let whole = Int(seconds.rounded())
    if whole < 3600 { return "\(whole / 60) min \(two(whole % 60)) s" }
    return "\(whole / 3600) h \(two(whole % 3600 / 60)) min"
  }

  /// A position in a recording: `03:20.4`, with hours where there are any.
  static func clock(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds.magnitude < 1e12 else { return "-" }
    let tenths = Int((max(0, seconds) * 10).rounded())
    let whole = tenths / 10
    let minutes = "\(two(whole % 3600 / 60)):\(two(whole % 60)).\(tenths % 10)"
    return whole >= 3600 ? "\(whole / 3600):\(minutes)" : minutes
  }

  private static func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
