/// What the command line asks for.
enum Request: Sendable, Equatable {
  case invoke(Invocation)
  /// Print this, and leave with status 0.
  case help(String)
  case version
}

/// A command with what all commands share.
struct Invocation: Sendable, Equatable {
  var command: Command
  /// The configuration file; nil where none was named.
  var config: String?
  /// The values of `--set`, in order.
  var overrides: [String] = []
}

/// What to do, with the values of its options.
enum Command: Sendable, Equatable {
  /// The agent, until it is told to end.
  case run(exitAtEnd: Bool)
  /// Looks whether configuration, sensor, journal and broker are as they must be.
  case check
  /// Recordings through the engine.
  case analyze(files: [String], json: Bool)
  /// A recording as a picture; `row` is the length of a row of it, in s.
  case plot(recording: String, out: String?, row: Double?)
  /// The sensor into a file, for some seconds or until it is told to end.
  case record(out: String, seconds: Double?)
  /// A command to a device, and its answer.
  case send(RemoteCommand, device: Device, timeout: Double, json: Bool)
  /// All devices below the root, live.
  case watch(seconds: Double?, json: Bool)
  /// Broker, agent and subscriber on one recording.
  case demo(recording: String?, seconds: Double?)
}

/// What a device is told.
enum RemoteCommand: Sendable, Equatable {
  case start(from: Moment?)
  case stop
  case status
  case query(from: Moment, to: Moment?, bucketSeconds: Int?)
  /// In m.
  case calibrateDistance(Double)
  /// In m.
  case calibrateStepLength(Double)
  case announce
  case regions
}

/// Who is told.
enum Device: Sendable, Equatable {
  case one(String)
  case group(String)
  case all
}

/// A time as a person writes it.
enum Moment: Sendable, Equatable {
  /// Seconds before now.
  case ago(Double)
  /// In ms since 1970, UTC.
  case date(Int64)

  /// In ms since 1970, UTC.
  func time(at now: Int64) -> Int64 {
    switch self {
    case .ago(let seconds): now - Int64((seconds * 1000).rounded())
    case .date(let time): time
    }
  }
}

/// Wrong use of the command line, in one line that says what would be right; leads to exit status 2.
struct UsageError: Error, Sendable, Equatable, CustomStringConvertible {
  let message: String

  init(_ message: String) { self.message = message }

  var description: String { message }
}
