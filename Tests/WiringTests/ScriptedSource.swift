import Motion
import Sensors
import Synchronization

/// A source that does at each opening what a script says.
final class ScriptedSource: AccelerometerSource {
  /// How an opening ends.
  enum End: Sendable {
    case fails(SensorError)
    /// Returns as if all were well.
    case returns
    /// Says nothing more, and does not return before it is cancelled.
    case hangs
    case ends
  }

  struct Opening: Sendable {
    var events: [SensorEvent] = []
    var end: End
  }

  private let script: [Opening]
  private let count = Mutex(0)

  /// Makes a source of openings; the last of them repeats.
  init(_ script: [Opening]) { self.script = script }

  var openings: Int { count.withLock { $0 } }

  nonisolated(nonsending)
    func run(_ deliver: nonisolated(nonsending) (SensorEvent) async -> Void) async throws(SensorError)
  {
    let number = count.withLock { count in
      count += 1
      return count
    }
    let opening = script[min(number, script.count) - 1]
    for event in opening.events { await deliver(event) }
    switch opening.end {
    case .fails(let error): throw error
    case .returns: return
    case .hangs: await Self.hang()
    case .ends: await deliver(.ended)
    }
  }

  private static func hang() async {
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    await withTaskCancellationHandler {
      for await _ in stream {}
    } onCancel: {
      continuation.finish()
    }
  }
}

extension SensorDescription {
  /// A device that gives samples all the time.
  static let chip = SensorDescription(kind: .iio, name: "chip", rate: 50)
  /// Lines, which may pause.
  static let lines = SensorDescription(kind: .lines, name: "-", isSteady: false)
}
