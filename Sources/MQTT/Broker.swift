/// The address of one broker: `mqtt://host:1883` or `mqtts://host:8883`.
public struct Broker: Sendable, Hashable, CustomStringConvertible {
  /// The name or the numeric address, without brackets.
  public let host: String
  /// The TCP port, 1 to 65535.
  public let port: UInt16
  /// Whether the connection is encrypted (`mqtts`).
  public let isEncrypted: Bool

  /// Makes an address; `nil` as port means the registered one (1883, or 8883 over TLS).
  public init(host: String, port: UInt16? = nil, isEncrypted: Bool = false) {
    self.host = host
    self.port = port ?? (isEncrypted ? 8883 : 1883)
    self.isEncrypted = isEncrypted
  }

  /// Reads `mqtt://host[:port]` or `mqtts://host[:port]`; an IPv6 address stands in brackets.
  ///
  /// User names and passwords are refused here: a URL ends up in logs, a secret must not.
  public init(_ url: String) throws(MQTTError) {
    func refuse(_ why: String) -> MQTTError { MQTTError(.invalidURL, "'\(url)' is not a broker: \(why)") }

    if url.utf8.contains(UInt8(ascii: "@")) { throw MQTTError(.invalidURL, Self.secretInURL) }
    let text = url[...]
    guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else {
      throw refuse("write mqtt://host:1883, or mqtts://host:8883 for TLS")
    }
    let isEncrypted: Bool
    switch text[..<colon].lowercased() {
    case "mqtt": isEncrypted = false
    case "mqtts": isEncrypted = true
    case let scheme: throw refuse("'\(scheme)' is unknown, use mqtt:// or mqtts://")
    }
    var rest = text[colon...].dropFirst(3)
    if rest.hasSuffix("/") { rest = rest.dropLast() }
    if rest.utf8.contains(where: { "/?#".utf8.contains($0) }) { throw refuse("nothing may follow the port") }

    let host: Substring
    let tail: Substring
    if rest.hasPrefix("[") {
      guard let bracket = rest.firstIndex(of: "]") else { throw refuse("the bracket of the address is not closed") }
      host = rest[rest.index(after: rest.startIndex)..<bracket]
      tail = rest[rest.index(after: bracket)...]
    } else {
      let end = rest.firstIndex(of: ":") ?? rest.endIndex
      host = rest[..<end]
      tail = rest[end...]
      if tail.dropFirst().contains(":") { throw refuse("an IPv6 address stands in brackets: mqtt://[::1]:1883") }
    }
    guard !host.isEmpty else { throw refuse("the host is missing") }
    guard host.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) else { throw refuse("the host contains a space") }
    guard tail.isEmpty || tail.hasPrefix(":") else { throw refuse("':' and a port must follow the address") }

    var port: UInt16?
    if !tail.isEmpty {
      let digits = tail.dropFirst()
      guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt16(digits), number > 0 else {
        throw refuse("'\(digits)' is not a port (1 to 65535)")
      }
      port = number
    }
    self.init(host: String(host), port: port, isEncrypted: isEncrypted)
  }

  /// The URL, with the port written out.
  public var description: String {
    "\(isEncrypted ? "mqtts" : "mqtt")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
  }

  private static let secretInURL = """
    a broker's URL takes no user and password, since URLs end up in logs: set mqtt.username and mqtt.password_file
    """
}
