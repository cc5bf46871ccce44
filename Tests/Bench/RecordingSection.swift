import Glibc
import Host
import Motion
import Sensors

/// How fast recordings are read, and a whole day is analysed.
struct RecordingSection {
  private static let hours = 24
  private static let rate = 50.0

  func run() throws {
    let place = try Place()
    let path = "\(place.path)/day.csv"
    try write(path)
    let bytes = try size(of: path)
    var samples = 0
    let reading = try shortest(of: 3) { samples = try read(path) }
    let raw = try shortest(of: 3) { try readBytes(path) }
    let child = try Spawned("steps2mqtt", ["analyze", "--json", path], in: place)
    let analysis = try child.wait(atMost: 60)
    let megabytes = Double(bytes) / 1e6
    table(
      "Recordings (a day of \(figure(samples)) samples at \(figure(Self.rate)) Hz, \(figure(megabytes)) MB of CSV in the page cache)",
      ["", "s", "MB/s", "million samples/s"],
      [
        ["read(2) alone", figure(raw, 3), figure(megabytes / raw), "-"],
        [
          "RecordingReader", figure(reading, 3), figure(megabytes / reading),
          figure(Double(samples) / reading / 1e6, 1),
        ],
        [
          "steps2mqtt analyze --json", figure(analysis.seconds, 3), figure(megabytes / analysis.seconds),
          figure(Double(samples) / analysis.seconds / 1e6, 1),
        ],
      ],
      notes: [
        "analyze: start, reading, engine and output (aim: 2 s); \(figure(analysis.cpuSeconds, 3)) s of it on a processor"
      ])
  }

  /// Writes a day: one hour of standing, walking, running and riding, over and over.
  private func write(_ path: String) throws {
    let hour: [SyntheticWalk.Segment] = [
      .standing(1500), .walking(300), .standing(300), .walking(400, cadence: 1.7), .riding(700), .running(300),
      .standing(100),
    ]
    let samples = Array(SyntheticWalk(.init(segments: hour, placement: .pocket)).samples(rate: Self.rate))
    var writer = try RecordingWriter(path: path)
    for hour in 0..<Self.hours {
      try writer.write(
        samples.lazy.map {
          AccelerometerSample(time: $0.time + Double(hour) * 3600, x: $0.x, y: $0.y, z: $0.z)
        })
    }
    try writer.flush()
  }

  private func read(_ path: String) throws -> Int {
    var reader = try RecordingReader(path: path)
    var block: [AccelerometerSample] = []
    var count = 0
    while try reader.read(into: &block) { count += block.count }
    return count
  }

  private func readBytes(_ path: String) throws {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Unmeasured("\(path) cannot be read") }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while unsafe Glibc.read(descriptor, &buffer, buffer.count) > 0 {}
  }

  private func size(of path: String) throws -> Int {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw Unmeasured("\(path) cannot be read") }
    return Int(status.st_size)
  }
}
