internal import CMosquitto
internal import Glibc

extension Connection {
  /// Where Debian and most others keep the trusted authorities, by hash.
  static let systemAuthorities = "/etc/ssl/certs"

  /// Sets trust and client certificate up; the host's name is always checked.
  ///
  /// Each file is tried first: the library tells an unreadable file and a wrong one by the same number.
  func setUpTLS() throws(MQTTError) {
    let tls = configuration.tls
    for (file, what) in [
      (tls.authorityFile, "CA"), (tls.certificateFile, "client certificate"), (tls.keyFile, "client key"),
    ] {
      guard let file else { continue }
      guard unsafe access(file, R_OK) == 0 else {
        throw MQTTError(
          .configuration, "the \(what) file \(file) cannot be read: \(unsafe String(cString: strerror(errno)))")
      }
    }
    guard (tls.certificateFile == nil) == (tls.keyFile == nil) else {
      throw MQTTError(.configuration, "a client certificate needs both mqtt.certificate_file and mqtt.key_file")
    }
    // MOSQ_OPT_TLS_USE_OS_CERTS alone is refused by 2.0.11. An encrypted key would make OpenSSL ask at the terminal.
    try check(
      unsafe mosquitto_tls_set(
        handle, tls.authorityFile, tls.authorityFile == nil ? Self.systemAuthorities : nil, tls.certificateFile,
        tls.keyFile, { _, _, _, _ in 0 }),
      "TLS settings")
    try check(unsafe mosquitto_tls_insecure_set(handle, false), "TLS host-name check")
  }
}

/// What OpenSSL complained about, gathered from the library's log: its return codes only say that TLS failed.
struct TLSComplaints {
  private(set) var lines: [String] = []
  /// OpenSSL's verdict on the broker's certificate (`X509_V_ERR_…`), 0 if it has none.
  private(set) var verdict: Int = 0

  /// Takes a line of the log, and the verdict while the handle still has its TLS state.
  mutating func note(_ line: String, _ handle: OpaquePointer?) {
    guard lines.count < 8 else { return }
    lines.append(line)
    if verdict == 0, let handle = unsafe handle, let ssl = unsafe mosquitto_ssl_get(handle) {
      verdict = unsafe Self.verdict?(ssl) ?? 0
    }
  }

  /// The last words, for an error that has no better name.
  var summary: String { lines.last.map { ": \($0)" } ?? "" }

  func contains(_ words: String) -> Bool { lines.contains { $0.contains(words) } }

  private typealias Verdict = @convention(c) (UnsafeMutableRawPointer) -> CLong

  /// `SSL_get_verify_result` of the OpenSSL that libmosquitto has loaded; `nil` if there is none.
  private static let verdict: Verdict? = {
    unsafe dlsym(UnsafeMutableRawPointer(bitPattern: 0), "SSL_get_verify_result").map {
      unsafe unsafeBitCast($0, to: Verdict.self)
    }
  }()
}
