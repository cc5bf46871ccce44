import Host
import Motion
import Sensors

/// `record`: the configured sensor into a CSV.
struct RecordSensor {
  let settings: Settings
  let out: String
  let seconds: Double?

  /// How much longer than what is wanted the samples may take, and how long they may stay away after that.
  private static let patience = Duration.seconds(5)

  func run() async throws -> ExitStatus {
    let signals = try Signals([.terminate, .interrupt])
    let source = try settings.openSensor(as: "record")
    let recorder = try Recorder(path: out, seconds: seconds)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await recorder.record(source) }
      group.addTask {
        for await _ in signals.received { break }
        await recorder.finish()
      }
      if let seconds {
        group.addTask {
          var wait = Duration.seconds(seconds) + Self.patience
          // A cancelled sleep means that it has ended before.
          while (try? await Task.sleep(for: wait)) != nil {
            await recorder.giveUpWithoutMore()
            wait = Self.patience
          }
        }
      }
      for await _ in recorder.finished { break }
      group.cancelAll()
    }
    Console.print(try await recorder.summary())
    return .done
  }
}

/// Writes what a source gives, its times from 0 on, and shows how far it is.
private actor Recorder {
  /// Ends when enough was recorded, the source ended, or something failed.
  nonisolated let finished: AsyncStream<Void>
  private let finishing: AsyncStream<Void>.Continuation
  private let path: String
  private let seconds: Double?
  private var writer: RecordingWriter
  private var progress = ProgressLine()
  private var failure: SensorError?
  private var first: Double?
  private var last = 0.0
  /// How many samples there were when it was last asked whether more come.
  private var asked = 0

  init(path: String, seconds: Double?) throws(SensorError) {
    writer = try RecordingWriter(path: path)
    self.path = path
    self.seconds = seconds
    (finished, finishing) = AsyncStream.makeStream()
  }

  func record(_ source: any AccelerometerSource) async {
    do throws(SensorError) {
      try await source.run { self.take($0) }
    } catch { failure = failure ?? error }
    finish()
  }

  func finish() { finishing.finish() }

  /// Ends it, if nothing has come since this was asked last, or at all.
  func giveUpWithoutMore() {
    if writer.count == asked { finish() }
    asked = writer.count
  }

  /// What was written, in a line; throws what stood in the way of it.
  func summary() throws(SensorError) -> String {
    progress.clear()
    if let failure { throw failure }
    try writer.flush()
    guard writer.count > 0 else {
      throw SensorError(.notFound, "\(path): no sample came; 'steps2mqtt check' says what is wrong with the sensor")
    }
    let rate = last > 0 ? ", \(Text.number(Double(max(0, writer.count - 1)) / last, 1)) Hz" : ""
    return "\(path): \(writer.count) samples, \(Text.duration(last))\(rate)"
  }

  private func take(_ event: SensorEvent) {
    switch event {
    case .samples(let samples): write(samples)
    case .warning(let text): complain(text)
    case .lost(let error): complain(error.message)
    case .pressures(let pressures): writer.keep(pressures)
    case .opened, .found, .faults, .ended: break
    }
  }

  private func complain(_ text: String) {
    progress.clear()
    Console.complain(text)
  }

  private func write(_ samples: [AccelerometerSample]) {
    let start = first ?? samples.first?.time ?? 0
    first = start
    let limit = seconds ?? .infinity
    let wanted = samples.map { sample in
      AccelerometerSample(time: sample.time - start, x: sample.x, y: sample.y, z: sample.z)
    }.filter { $0.time <= limit }
    do throws(SensorError) { try writer.write(wanted) } catch {
      failure = error
      finish()
    }
    last = max(last, wanted.last?.time ?? 0)
    progress.show(seconds.map { last / $0 }, "\(path) \(writer.count) samples")
    if wanted.count < samples.count { finish() }
  }
}
