internal import CMosquitto
internal import Glibc

extension Connection {
  /// The words for an error of the library.
  func explain(_ result: CInt, errno number: CInt) -> MQTTError {
    let broker = target.broker.description
    if let error = explainTLS() { return error }
    switch mosq_err_t(rawValue: result) {
    case MOSQ_ERR_EAI, MOSQ_ERR_LOOKUP:
      return MQTTError(.hostNotFound, "\(broker): the name '\(target.broker.host)' has no address: check name and DNS")
    case MOSQ_ERR_INVAL where target.broker.isEncrypted:
      return MQTTError(
        .configuration, "\(broker): the TLS settings are refused; check the certificate files\(complaints.summary)")
    case MOSQ_ERR_INVAL:
      return MQTTError(.configuration, "\(broker): libmosquitto refuses the settings: a keepalive is 5 to 65535 s")
    case MOSQ_ERR_ERRNO where number == ECONNREFUSED:
      return MQTTError(
        .connectionRefused, "\(broker): connection refused: nothing listens there; is the broker running?")
    case MOSQ_ERR_ERRNO where number == ENETUNREACH || number == EHOSTUNREACH || number == EADDRNOTAVAIL:
      return MQTTError(.unreachable, "\(broker): no way there (\(Self.words(number))): check the network")
    case MOSQ_ERR_ERRNO where number == ETIMEDOUT:
      return MQTTError(.timedOut, "\(broker): no answer to the connection: check address, port and firewall")
    case MOSQ_ERR_TLS:
      return MQTTError(.tls, "\(broker): TLS failed\(complaints.summary)")
    case MOSQ_ERR_KEEPALIVE:
      return MQTTError(
        .connectionLost, "\(broker): no sign of life within the keepalive: check the network, or raise mqtt.keepalive_s"
      )
    case let error:
      if case .connected = phase {
        let why = error == MOSQ_ERR_ERRNO ? Self.words(number) : Library.words(for: result)
        return MQTTError(.connectionLost, "\(broker): the connection broke (\(why))")
      }
      // Without TLS 1.3 the broker's refusal of our certificate, or of having none, ends the handshake without a log line.
      if target.broker.isEncrypted { return aboutClientCertificate }
      if error == MOSQ_ERR_ERRNO, ![0, ECONNRESET, EPIPE].contains(number) {
        return MQTTError(.library, "\(broker): \(Self.words(number))")
      }
      return MQTTError(.notUnderstood, "\(broker): closed without an answer: \(Self.hint)")
    }
  }

  /// What the log of TLS says, if it says anything that has a name.
  private func explainTLS() -> MQTTError? {
    guard target.broker.isEncrypted, !complaints.lines.isEmpty else { return nil }
    let broker = target.broker.description
    if complaints.contains("x509 certificate routines") || complaints.contains("PEM routines") {
      return MQTTError(
        .configuration,
        "\(broker): a certificate file holds something else, or key and certificate differ\(complaints.summary)")
    }
    if complaints.contains("host name verification failed") {
      return MQTTError(
        .wrongName, "\(broker): the broker's certificate is not for '\(target.broker.host)': use the name in it")
    }
    switch complaints.verdict {
    case 9, 10:  // X509_V_ERR_CERT_NOT_YET_VALID, X509_V_ERR_CERT_HAS_EXPIRED
      return MQTTError(
        .certificateExpired,
        "\(broker): the broker's certificate has expired or is not valid yet: renew it, check the clock")
    case 2, 18, 19, 20, 21:  // X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT…, …_SELF_SIGNED…, …_UNABLE_TO_VERIFY_LEAF…
      return MQTTError(
        .unknownAuthority,
        "\(broker): the broker's certificate is from an unknown authority: set mqtt.ca_file to its CA")
    default: break
    }
    if complaints.contains("certificate verify failed") {
      return MQTTError(
        .unknownAuthority,
        "\(broker): the broker's certificate is not trusted (verdict \(complaints.verdict)): check mqtt.ca_file")
    }
    if complaints.contains("wrong version number") || complaints.contains("packet length too long")
      || complaints.contains("unexpected eof") && !isEstablished
    {
      return MQTTError(.plainPort, "\(broker): this port does not speak TLS: use mqtt://, or the broker's TLS port")
    }
    if complaints.contains("alert") { return aboutClientCertificate }
    return MQTTError(.tls, "\(broker): TLS failed\(complaints.summary)")
  }

  private var isEstablished: Bool {
    if case .connected = phase { true } else { false }
  }

  /// The broker ended the handshake, for which it has no other common reason.
  private var aboutClientCertificate: MQTTError {
    let broker = target.broker.description
    guard let own = configuration.tls.certificateFile else {
      return MQTTError(
        .clientCertificate,
        "\(broker): the broker wants a client certificate: set mqtt.certificate_file and mqtt.key_file\(complaints.summary)"
      )
    }
    return MQTTError(
      .clientCertificate, "\(broker): the broker refuses the client certificate \(own)\(complaints.summary)")
  }

  private static let hint =
    "if the port speaks TLS, use mqtts://; if the broker knows only MQTT 3.1.1, set mqtt.protocol: 3.1.1"

  /// The words for a CONNACK that refuses: codes of 3.1.1 below 0x80, of MQTT 5 above.
  func explainRefusal(_ code: CInt, _ reason: String?) -> MQTTError {
    let said = reason.map { " (\($0))" } ?? ""
    let broker = target.broker.description
    let code = ReasonCode(refusing: code)
    switch code {
    case .unsupportedProtocolVersion:
      return MQTTError(
        .protocolVersion, "\(broker): refuses this protocol version: set mqtt.protocol to the other one\(said)")
    case .clientIDNotValid:
      return MQTTError(.clientIDRefused, "\(broker): refuses the client id '\(configuration.clientID)'\(said)")
    case .badCredentials, .notAuthorized:
      let isAnonymous = configuration.username == nil
      return MQTTError(
        code == .badCredentials || !isAnonymous ? .badCredentials : .notAuthorized,
        isAnonymous
          ? "\(broker): wants a user: set mqtt.username and mqtt.password_file\(said)"
          : "\(broker): refuses user '\(configuration.username ?? "")' or the password, or does not let it in\(said)")
    case .serverUnavailable:
      return MQTTError(.refused(code), "\(broker): is unavailable at the moment\(said)")
    default:
      return MQTTError(.refused(code), "\(broker): refuses the connection: \(code)\(said)")
    }
  }

  /// The words for a DISCONNECT of the broker.
  func explainDisconnect(_ code: CInt, _ reason: String?) -> MQTTError {
    let code = ReasonCode(rawValue: UInt8(truncatingIfNeeded: code))
    let said = reason.map { " (\($0))" } ?? ""
    let broker = target.broker.description
    switch code {
    case .sessionTakenOver:
      return MQTTError(
        .takenOver, "\(broker): another client uses the id '\(configuration.clientID)': give each its own\(said)")
    case .notAuthorized:
      return MQTTError(.notAuthorized, "\(broker): ended the connection: not authorised\(said)")
    default:
      return MQTTError(.refused(code), "\(broker): ended the connection: \(code)\(said)")
    }
  }

  private static func words(_ number: CInt) -> String { unsafe String(cString: strerror(number)) }
}

extension ReasonCode {
  /// The reason of a CONNACK: that of MQTT 5, or what says the same as a return code of 3.1.1 (section 3.2.2.3 there).
  fileprivate init(refusing code: CInt) {
    self =
      switch code {
      case 1: .unsupportedProtocolVersion
      case 2: .clientIDNotValid
      case 3: .serverUnavailable
      case 4: .badCredentials
      case 5: .notAuthorized
      default: ReasonCode(rawValue: UInt8(truncatingIfNeeded: code))
      }
  }
}
