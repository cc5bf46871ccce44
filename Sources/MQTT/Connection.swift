internal import CMosquitto
internal import Glibc

/// One connection to one address: a handle of the library, destroyed with its owner.
///
/// A handle serves for one connection only, so that nothing which the library kept from the last one can go out late.
/// One thread at a time uses it: the one that opens it, then the one that serves it. Own polling instead of
/// `mosquitto_loop`: that one's `select` fails for descriptors from 1024 on.
@safe final class Connection {
  /// How far it has come.
  enum Phase {
    case opening
    case connected
    case closed(MQTTError)
  }

  /// A publish that waits for its acknowledgement.
  struct Pending {
    let token: UInt64?
    let qos: QoS
    let deadline: ContinuousClock.Instant
  }

  let handle: OpaquePointer
  let target: Target
  let configuration: Client.Configuration
  let inbox: any Inbox
  /// Publishes by the library's message id.
  var pending: [CInt: Pending] = [:]
  /// How many publishes at QoS 1 are unacknowledged.
  var inFlight = 0
  /// How many of them there may be at once.
  var window = Client.window
  /// How many publishes were given to the library since it wrote last.
  var queued = 0
  /// Filters by the library's message id.
  var subscribing: [CInt: String] = [:]
  /// What the library said about TLS; its return codes do not tell.
  var complaints = TLSComplaints()
  /// Set when an incoming message was not confirmed: from then on nothing may be written, above all no PUBACK.
  var isMuted = false
  /// The keepalive in force, in seconds: the broker may have set another.
  var keepAlive: UInt16
  private(set) var phase = Phase.opening

  /// Makes a handle and sets it up; connects nothing yet.
  init(_ configuration: Client.Configuration, to target: Target, inbox: any Inbox) throws(MQTTError) {
    Library.prepare()
    guard let handle = unsafe mosquitto_new(configuration.clientID, configuration.cleanStart, nil) else {
      throw MQTTError(.configuration, "the client id '\(configuration.clientID)' is refused: use 1 to 65535 characters")
    }
    unsafe self.handle = unsafe handle
    self.target = target
    self.configuration = configuration
    self.inbox = inbox
    self.keepAlive = configuration.keepAlive
    unsafe mosquitto_user_data_set(handle, Unmanaged.passUnretained(self).toOpaque())
    // Without it a QoS 1 message is acknowledged before its callback runs; with it packets only queue up until we write.
    unsafe mosquitto_threaded_set(handle, true)
    installCallbacks()
    try setUp()
  }

  deinit {
    unsafe mosquitto_destroy(handle)
  }

  /// Resolves, connects TCP, begins TLS and queues CONNECT; blocks as long as the system takes for it.
  func open() {
    var properties = PropertyList()
    if configuration.version == .v5 {
      properties.add(MQTT_PROP_SESSION_EXPIRY_INTERVAL, configuration.sessionExpiry)
      properties.add(MQTT_PROP_MAXIMUM_PACKET_SIZE, configuration.maximumIncomingPacketSize)
    }
    let result = unsafe mosquitto_connect_bind_v5(
      handle, target.host, CInt(target.broker.port), CInt(configuration.keepAlive), target.bindAddress, properties.head)
    let number = errno
    if result != CInt(MOSQ_ERR_SUCCESS.rawValue) { close(explain(result, errno: number)) }
    keepFromChildren()
  }

  /// Lets no program that this process may run inherit what the library has opened, which it forgets to mark.
  ///
  /// It names its socket, but not the pair of sockets that it wakes itself by: hence all are marked.
  private func keepFromChildren() {
    guard let directory = unsafe opendir("/proc/self/fd") else { return }
    defer { unsafe closedir(directory) }
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if let number = CInt(name), number > 2 { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
    }
  }

  /// Notes the first reason for which it ended; later ones are consequences.
  func close(_ error: MQTTError) {
    if case .closed = phase { return }
    phase = .closed(error)
  }

  /// Notes that the broker accepted us.
  func accept() { phase = .connected }

  /// What `poll` waits for; -1 when the library has closed it.
  var descriptor: CInt { unsafe mosquitto_socket(handle) }

  /// Whether the library has something to write.
  var wantsToWrite: Bool { unsafe !isMuted && mosquitto_want_write(handle) }

  /// Reads what came, which runs the callbacks.
  func read() { note(unsafe mosquitto_loop_read(handle, 1)) }

  /// Writes what is queued, as far as the system takes it.
  ///
  /// The library writes packet by packet. Several are held back until the last is written, so that they leave in as few
  /// segments as they fit: each wakes the peer, and on this machine's own network the peer's work is ours.
  func write() {
    let isHeldBack = queued > 1
    if isHeldBack { holdBack(true) }
    note(unsafe mosquitto_loop_write(handle, 1))
    if isHeldBack { holdBack(false) }
    queued = 0
  }

  private func holdBack(_ isHeldBack: Bool) {
    var value: CInt = isHeldBack ? 1 : 0
    // Where the system refuses, packets leave one by one.
    _ = unsafe setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_CORK, &value, socklen_t(MemoryLayout<CInt>.size))
  }

  /// Has the system acknowledge at once what it received.
  ///
  /// It waits up to 40 ms for something to send that the acknowledgement could ride on, and so long a broker's system
  /// may hold back what the broker says next (Nagle's algorithm).
  func acknowledgeSegments() {
    var value: CInt = 1
    // It lasts for what has come; where the system refuses, things take their time.
    _ = unsafe setsockopt(
      descriptor, CInt(IPPROTO_TCP), TCP_QUICKACK, &value, socklen_t(MemoryLayout<CInt>.size))
  }

  /// Sends the keepalive when it is due.
  func tend() { note(unsafe mosquitto_loop_misc(handle)) }

  /// Queues DISCONNECT: after it the broker drops the will.
  func sayGoodbye() {
    _ = unsafe mosquitto_disconnect_v5(handle, 0, nil)
  }

  private func note(_ result: CInt) {
    if result != CInt(MOSQ_ERR_SUCCESS.rawValue) {
      let number = errno
      close(explain(result, errno: number))
    } else if descriptor < 0 {
      close(explain(CInt(MOSQ_ERR_CONN_LOST.rawValue), errno: 0))
    }
  }

  private func setUp() throws(MQTTError) {
    let version = configuration.version == .v5 ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311
    try check(unsafe mosquitto_int_option(handle, MOSQ_OPT_PROTOCOL_VERSION, CInt(version)), "protocol version")
    try check(unsafe mosquitto_int_option(handle, MOSQ_OPT_TCP_NODELAY, 1), "TCP_NODELAY")
    if configuration.username != nil || configuration.password != nil {
      // MQTT 3.1.1 allows no password without a user name.
      try check(
        unsafe mosquitto_username_pw_set(handle, configuration.username ?? "", configuration.password), "user name")
    }
    if let will = configuration.will {
      try check(
        unsafe mosquitto_will_set_v5(
          handle, will.topic, CInt(will.payload.count), will.payload, CInt(will.qos.rawValue), will.isRetained, nil),
        "will topic '\(will.topic)'")
    }
    if target.broker.isEncrypted { try setUpTLS() }
  }

  func check(_ result: CInt, _ what: String) throws(MQTTError) {
    guard result != CInt(MOSQ_ERR_SUCCESS.rawValue) else { return }
    throw MQTTError(.configuration, "libmosquitto refuses the \(what): \(Library.words(for: result))")
  }
}

/// What a connection tells the client, on the network thread.
protocol Inbox: Sendable {
  /// The broker accepted us.
  func connected(_ session: Session)
  /// A publish is answered; `token` is `nil` for the client's own.
  func published(_ token: UInt64?, qos: QoS, _ result: PublishResult)
  /// A subscription is answered.
  func subscribed(_ filter: String, _ result: SubscribeResult)
  /// A message arrived; false if it was to be confirmed and was not.
  func received(_ topic: String, _ payload: [UInt8], qos: QoS, isRetained: Bool, _ properties: MessageProperties)
    -> Bool
}
