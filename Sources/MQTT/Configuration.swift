extension Client {
  /// Everything that a client needs to know; plain values, read once.
  public struct Configuration: Sendable {
    /// The version of the protocol.
    public enum ProtocolVersion: Sendable, Equatable {
      /// MQTT 3.1.1: a refused publish looks acknowledged there, and messages carry no properties.
      case v311
      /// MQTT 5.
      case v5
    }

    /// What is trusted and shown over TLS.
    public struct TLS: Sendable, Equatable {
      /// The file with the trusted authorities (PEM); `nil` means the system's certificates.
      public var authorityFile: String?
      /// Our certificate (PEM), if the broker wants one.
      public var certificateFile: String?
      /// The key of our certificate (PEM, not encrypted).
      public var keyFile: String?

      /// Makes TLS settings; by default the system's authorities and no client certificate.
      public init(authorityFile: String? = nil, certificateFile: String? = nil, keyFile: String? = nil) {
        self.authorityFile = authorityFile
        self.certificateFile = certificateFile
        self.keyFile = keyFile
      }
    }

    /// How long to wait for what.
    public struct Deadlines: Sendable, Equatable {
      /// For the look-up of the name and then, for each address, for the TCP connection and for the broker's CONNACK.
      public var connect: Duration
      /// From a publish at QoS 1 to its acknowledgement; then the connection is given up.
      public var acknowledgement: Duration
      /// From an incoming message at QoS 1 to ``IncomingMessage/acknowledge()``; then the connection is given up.
      public var confirmation: Duration

      /// Makes deadlines; the defaults are those of the design page: 10 s, 30 s, and 5 s.
      public init(
        connect: Duration = .seconds(10), acknowledgement: Duration = .seconds(30), confirmation: Duration = .seconds(5)
      ) {
        self.connect = connect
        self.acknowledgement = acknowledgement
        self.confirmation = confirmation
      }
    }

    /// The brokers, tried in turn.
    public var brokers: [Broker]
    /// The client id: at most one client of a broker may have it.
    public var clientID: String
    /// The version of the protocol.
    public var version: ProtocolVersion
    /// The user name, if the broker wants one.
    public var username: String?
    /// The password, if the broker wants one.
    public var password: String?
    /// What is trusted and shown over TLS.
    public var tls: TLS
    /// After how many seconds without traffic the connection is tried, 5 to 65535.
    public var keepAlive: UInt16
    /// Whether the broker shall forget what it kept for this client id.
    public var cleanStart: Bool
    /// How many seconds the broker keeps subscriptions and messages while we are away (MQTT 5).
    public var sessionExpiry: UInt32
    /// What the broker publishes if we vanish.
    public var will: OutgoingMessage?
    /// What is subscribed to at each connection.
    public var subscriptions: [Subscription]
    /// The largest packet that goes out, in bytes, if the broker does not set a smaller limit.
    ///
    /// With 3.1.1 a broker ends the connection over a packet it finds too large, again and again.
    public var maximumPacketSize: Int
    /// The largest packet that the broker may send, in bytes (MQTT 5); it drops larger ones.
    public var maximumIncomingPacketSize: UInt32
    /// How many bytes of a message's payload are kept when it arrives; the rest of a longer one is dropped.
    ///
    /// To be told from those that are whole it should be one more than the longest that is wanted.
    public var keptPayload: Int
    /// How long to wait for what.
    public var deadlines: Deadlines
    /// How long to wait between attempts.
    public var backoff: Backoff.Limits

    /// Makes a configuration; everything but brokers and client id has the default of the design page.
    ///
    /// The session lives a day by default: long enough for commands to survive a night in a drawer.
    public init(
      brokers: [Broker], clientID: String, version: ProtocolVersion = .v5, username: String? = nil,
      password: String? = nil, tls: TLS = TLS(), keepAlive: UInt16 = 30, cleanStart: Bool = false,
      sessionExpiry: UInt32 = 86_400, will: OutgoingMessage? = nil, subscriptions: [Subscription] = [],
      maximumPacketSize: Int = 1 << 20, maximumIncomingPacketSize: UInt32 = 1 << 18, keptPayload: Int = .max,
      deadlines: Deadlines = Deadlines(), backoff: Backoff.Limits = Backoff.Limits()
    ) {
      self.brokers = brokers
      self.clientID = clientID
      self.version = version
      self.username = username
      self.password = password
      self.tls = tls
      self.keepAlive = keepAlive
      self.cleanStart = cleanStart
      self.sessionExpiry = sessionExpiry
      self.will = will
      self.subscriptions = subscriptions
      self.maximumPacketSize = maximumPacketSize
      self.maximumIncomingPacketSize = maximumIncomingPacketSize
      self.keptPayload = keptPayload
      self.deadlines = deadlines
      self.backoff = backoff
    }
  }
}

/// One topic filter to subscribe to.
public struct Subscription: Sendable, Hashable {
  /// The filter; `+` and `#` are wildcards.
  public var filter: String
  /// The best delivery that is wanted.
  public var qos: QoS

  /// Makes a subscription.
  public init(_ filter: String, qos: QoS = .atLeastOnce) {
    self.filter = filter
    self.qos = qos
  }
}
