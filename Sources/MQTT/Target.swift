internal import Glibc

/// Where one attempt connects to.
struct Target: Sendable, Hashable {
  let broker: Broker
  /// What the library is given: the broker's name, or one of its numeric addresses.
  let host: String
  /// `0.0.0.0` or `::` to use one family of addresses only; `nil` for any.
  var bindAddress: String?

  /// All that a broker's name leads to, in the system's order; blocks while the system looks it up.
  ///
  /// Each address is a target of its own, so that a dead one costs one deadline and not the system's two minutes. Over
  /// TLS the library checks the certificate against what it was told to connect to, which must then be the name: there
  /// each family is a target, chosen by binding to its wildcard, and the library goes through the family's addresses.
  static func all(of broker: Broker) throws(MQTTError) -> [Target] {
    var hints = unsafe addrinfo()
    unsafe hints.ai_family = AF_UNSPEC
    unsafe hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    let result = unsafe getaddrinfo(broker.host, nil, &hints, &list)
    guard result == 0 else {
      throw MQTTError(
        .hostNotFound,
        "\(broker): the name '\(broker.host)' has no address (\(unsafe String(cString: gai_strerror(result)))): check name and DNS"
      )
    }
    defer { unsafe freeaddrinfo(list) }

    var targets: [Target] = []
    var families: [CInt] = []
    var next = unsafe list
    while let entry = unsafe next?.pointee {
      unsafe next = unsafe entry.ai_next
      let family = unsafe entry.ai_family
      var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      guard
        unsafe getnameinfo(
          entry.ai_addr, entry.ai_addrlen, &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST) == 0
      else { continue }
      if !families.contains(family) { families.append(family) }
      let host = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      let target = Target(broker: broker, host: host)
      if !targets.contains(target) { targets.append(target) }
    }
    guard broker.isEncrypted else { return targets }
    guard families.count > 1 else { return [Target(broker: broker, host: broker.host)] }
    return families.map { family in
      Target(broker: broker, host: broker.host, bindAddress: family == AF_INET6 ? "::" : "0.0.0.0")
    }
  }
}
