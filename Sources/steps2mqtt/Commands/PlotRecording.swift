import Host
import Sensors

/// `plot`: a recording as a picture of what the engine made of it.
struct PlotRecording {
  let recording: String
  /// Where the picture goes; nil for the recording's name, ending in `.svg`, in the current directory.
  let out: String?
  /// How long a row is, in s; nil for as long as fits a sheet of paper.
  let row: Double?
  let settings: Settings

  func run() throws -> ExitStatus {
    let out = out ?? FileName(FileName(recording).last).stem + ".svg"
    guard out != recording else {
      throw PlotError("\(out): is the recording itself; name another file for the picture with -o")
    }
    let truth = try Truth(beside: recording)
    var envelope = Envelope()
    var progress = ProgressLine()
    defer { progress.clear() }
    let analysis = try Analysis(of: recording, wearer: settings.wearer.pedometer) {
      progress.show($0, recording)
    } look: { sample in
      envelope.take(sample)
    }
    let picture = try Picture(of: analysis, envelope, truth: truth, row: row)
    progress.clear()
    if truth.reversed > 0 {
      Console.complain("\(recording): \(truth.reversed) labels end before they begin, and were left out")
    }
    if out == "-" {
      Console.print(picture.svg())
    } else {
      try TextFile.write(picture.svg(), to: out)
      Console.print("\(out): \(picture.summary)")
    }
    return .done
  }
}
