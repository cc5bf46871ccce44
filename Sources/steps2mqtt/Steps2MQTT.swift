import Glibc
import Host

/// The program: reads the command line and the settings, then hands over to the command.
@main
enum Steps2MQTT {
  static func main() async {
    Terminal.keepStreams()
    let status = await run(Array(Swift.CommandLine.arguments.dropFirst()))
    exit((status == .done && Console.hasFailed ? .failed : status).rawValue)
  }

  /// Every failure ends here, in one line that says what to do about it.
  private static func run(_ words: [String]) async -> ExitStatus {
    do {
      switch try Request.parse(words) {
      case .help(let text): Console.print(text)
      case .version: Console.print(Version.text)
      case .invoke(let invocation): return try await run(invocation)
      }
      return .done
    } catch let error as SettingsError {
      for fault in error.faults { Console.complain("\(fault)") }
      return .misused
    } catch {
      Console.complain("\(error)")
      return error is UsageError ? .misused : .failed
    }
  }

  private static func run(_ invocation: Invocation) async throws -> ExitStatus {
    let reread: @Sendable () throws(SettingsError) -> Settings.Read = { () throws(SettingsError) in
      try Settings.read(file: invocation.config, environment: Environment.all, options: invocation.overrides)
    }
    let read = try reread()
    for warning in read.warnings { Console.complain("warning: \(warning)") }
    let settings = read.settings
    switch invocation.command {
    case .run(let exitAtEnd):
      // It changes the environment: nothing else runs yet.
      if !settings.tracking.timeZone.isEmpty { try HostClock.useZone(settings.tracking.timeZone) }
      return try await RunAgent(settings: settings, exitAtEnd: exitAtEnd, reread: reread).run()
    case .check: return await CheckSetup(settings: settings).run()
    case .analyze(let files, let json): return Analyze(files: files, json: json, settings: settings).run()
    case .plot(let recording, let out, let row):
      return try PlotRecording(recording: recording, out: out, row: row, settings: settings).run()
    case .record(let out, let seconds):
      return try await RecordSensor(settings: settings, out: out, seconds: seconds).run()
    case .send(let order, let device, let timeout, let json):
      return try await SendCommand(settings: settings, command: order, device: device, timeout: timeout, json: json)
        .run()
    case .watch(let seconds, let json): return try await Watch(settings: settings, seconds: seconds, json: json).run()
    case .demo(let recording, let seconds):
      return try await Demo(settings: settings, recording: recording, seconds: seconds).run()
    }
  }
}
