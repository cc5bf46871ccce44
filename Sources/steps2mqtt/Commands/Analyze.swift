import FoundationEssentials
import Host
import Motion
import Sensors

/// `analyze`: recordings through the engine.
struct Analyze {
  let files: [String]
  let json: Bool
  let settings: Settings

  func run() -> ExitStatus {
    var status = ExitStatus.done
    for (index, file) in files.enumerated() {
      do throws(SensorError) {
        try show(analysis(of: file, labelled: files.count > 1 ? "\(index + 1)/\(files.count) \(file)" : file))
      } catch {
        Console.complain(error.message)
        status = .failed
      }
    }
    return status
  }

  /// Hears a recording, with progress on a terminal, and complains of what is odd about it.
  private func analysis(of file: String, labelled label: String) throws(SensorError) -> Analysis {
    var progress = ProgressLine()
    defer { progress.clear() }
    var check = RecordingCheck(path: file)
    var warnings: [String] = []
    let analysis = try Analysis(
      of: file, wearer: settings.wearer.pedometer, progress: { progress.show($0, label) },
      look: { if let warning = check.take($0) { warnings.append(warning) } })
    if analysis.samples > 1, analysis.rate < 1 {
      warnings.append("\(file): \(Text.number(analysis.rate, 2)) samples/s; are its times in ms? They must be in s")
    }
    progress.clear()
    for warning in warnings { Console.complain(warning) }
    guard analysis.samples > 0 else {
      throw SensorError(.invalid, "\(file): holds no sample; its lines are t,x,y,z in s and g")
    }
    return analysis
  }

  private func show(_ analysis: Analysis) throws(SensorError) {
    if json {
      do { try show(Report(analysis)) } catch {
        throw SensorError(.invalid, "\(analysis.path): its figures cannot be written as JSON: \(error)")
      }
    } else {
      Console.print(text(of: analysis))
    }
    complain(of: analysis)
  }

  private func show(_ report: Report) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    Console.print(String(decoding: try encoder.encode(report), as: UTF8.self))
  }

  private func complain(of analysis: Analysis) {
    guard let first = analysis.malformed.first.first else { return }
    Console.complain(
      "\(analysis.path):\(first.number): '\(first.text)' is not t,x,y,z; \(analysis.malformed.count) such lines were left out"
    )
  }

  private func text(of analysis: Analysis) -> String {
    var lines = [
      "\(analysis.path): \(Text.duration(analysis.duration)), \(analysis.samples) samples at \(Text.number(analysis.rate, 1)) Hz"
    ]
    var figures = "  \(analysis.steps.count) steps, \(Text.number(analysis.distance, 0)) m"
    if analysis.activeSeconds > 0 {
      let cadence = Double(analysis.steps.count) / analysis.activeSeconds * 60
      figures += " in \(Text.duration(analysis.activeSeconds)) on foot, \(Text.number(cadence, 0)) steps/min"
    }
    if let up = analysis.data.floorsAscended, let down = analysis.data.floorsDescended {
      figures += ", \(up) floors up and \(down) down"
    }
    lines.append(figures)
    for event in analysis.events {
      lines.append("  \(Text.clock(event.time - analysis.first))  \(event.kind == .pause ? "pause" : "resume")")
    }
    let known = analysis.activities.filter { $0.end > $0.start }
    for kind in MotionActivity.Kind.allCases {
      let total = known.filter { $0.activity.kind == kind }.reduce(0) { $0 + $1.end - $1.start }
      if total > 0 { lines.append("  \(kind.rawValue) \(Text.duration(total))") }
    }
    return lines.joined(separator: "\n")
  }
}

extension Analyze {
  /// One line of `analyze --json`.
  private struct Report: Encodable {
    struct Stretch: Encodable {
      var start_s: Double
      var end_s: Double
      var activity: String
      var confidence: String
    }
    struct Event: Encodable {
      var event: String
      var time_s: Double
    }

    var recording: String
    var samples: Int
    var duration_s: Double
    var steps: Int
    var distance_m: Double
    /// Left out where the recording has no pressures.
    var floors_ascended: Int?
    var floors_descended: Int?
    var step_times_s: [Double]
    var malformed: Int
    var activities: [Stretch]
    var events: [Event]

    init(_ analysis: Analysis) {
      recording = analysis.path
      samples = analysis.samples
      duration_s = Text.rounded(analysis.duration)
      steps = analysis.steps.count
      distance_m = Text.rounded(analysis.distance)
      floors_ascended = analysis.data.floorsAscended
      floors_descended = analysis.data.floorsDescended
      step_times_s = analysis.steps.map { Text.rounded($0.time) }
      malformed = analysis.malformed.count
      activities = analysis.activities.filter { $0.end > $0.start }.map {
        Stretch(
          start_s: Text.rounded($0.start), end_s: Text.rounded($0.end), activity: $0.activity.kind.rawValue,
          confidence: $0.activity.confidence.rawValue)
      }
      events = analysis.events.map {
        Event(event: $0.kind == .pause ? "pause" : "resume", time_s: Text.rounded($0.time))
      }
    }
  }
}
