import Glibc

/// A socket that datagrams arrive at; it closes itself.
struct DatagramSocket: ~Copyable {
  /// The room in the kernel, in bytes, for what comes while nobody reads; it gives less where it must.
  private static let room: CInt = 1 << 22

  let raw: CInt

  /// Listens at an address in numbers and a port; 0 takes a free one.
  init(address: String, port: UInt16) throws(SensorError) { raw = try Self.listen(address, port) }

  deinit { _ = close(raw) }

  private static func listen(_ address: String, _ port: UInt16) throws(SensorError) -> CInt {
    var hints = unsafe addrinfo()
    unsafe hints.ai_flags = AI_PASSIVE | AI_NUMERICHOST
    unsafe hints.ai_socktype = CInt(SOCK_DGRAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>? = nil
    let result = unsafe getaddrinfo(address, "\(port)", &hints, &found)
    guard result == 0, let info = unsafe found else {
      throw SensorError(
        .invalid, "'\(address)' is no address in numbers; set sensor.udp.address to one of this machine")
    }
    defer { unsafe freeaddrinfo(info) }
    let name = "\(address):\(port)"
    let raw = unsafe socket(info.pointee.ai_family, info.pointee.ai_socktype | CInt(SOCK_CLOEXEC.rawValue), 0)
    guard raw >= 0 else { throw .listening(name, errno) }
    var room = room
    _ = unsafe setsockopt(raw, SOL_SOCKET, SO_RCVBUF, &room, socklen_t(MemoryLayout<CInt>.size))
    guard unsafe bind(raw, info.pointee.ai_addr, info.pointee.ai_addrlen) == 0 else {
      let error = errno
      _ = close(raw)
      throw .listening(name, error)
    }
    return raw
  }

  /// The address and the port that it listens at.
  func boundName() throws(SensorError) -> String {
    var address = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe getsockname(raw, $0, &length) }
    }
    guard result == 0 else { throw .reading("a socket", errno) }
    return SenderAddress(address, length).description
  }

  /// Takes a datagram that is there into a buffer; nil when there is none.
  func receive(into buffer: inout [UInt8], limit: Int) throws(SensorError) -> (count: Int, sender: SenderAddress)? {
    var address = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let count = unsafe buffer.withUnsafeMutableBytes { bytes in
      unsafe withUnsafeMutablePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { sender in
          unsafe recvfrom(raw, bytes.baseAddress, limit, CInt(MSG_DONTWAIT), sender, &length)
        }
      }
    }
    if count < 0 {
      // What an earlier datagram of ours met is no fault of those that arrive.
      guard [EAGAIN, EINTR, ECONNREFUSED].contains(errno) else { throw .reading("a socket", errno) }
      return nil
    }
    return (count, SenderAddress(address, length))
  }
}

/// Who sent a datagram: an address and a port.
struct SenderAddress: Sendable, Hashable, CustomStringConvertible {
  /// As a person writes it: `192.0.2.7:5005`, `[2001:db8::7]:5005`.
  let description: String

  init(_ address: sockaddr_storage, _ length: socklen_t) {
    var address = address
    var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    var port = [CChar](repeating: 0, count: Int(NI_MAXSERV))
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe getnameinfo(
          address, length, &host, socklen_t(host.count), &port, socklen_t(port.count), NI_NUMERICHOST | NI_NUMERICSERV)
      }
    }
    guard result == 0 else {
      description = "an unknown sender"
      return
    }
    let name = Self.text(host)
    description = (name.contains(":") ? "[\(name)]" : name) + ":" + Self.text(port)
  }

  private static func text(_ characters: [CChar]) -> String {
    String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

extension SensorError {
  static func listening(_ name: String, _ error: CInt) -> SensorError {
    switch error {
    case EADDRINUSE:
      SensorError(.busy, "\(name): another program listens there; end it (ss -ulp), or set another sensor.udp.port")
    case EADDRNOTAVAIL:
      SensorError(.notFound, "\(name): is no address of this machine; set sensor.udp.address to one (ip address)")
    case EACCES:
      SensorError(.notPermitted, "\(name): ports below 1024 are root's; set sensor.udp.port to a higher one")
    default: SensorError(.inputOutput, "\(name): cannot be listened on (\(text(of: error)))")
    }
  }
}
