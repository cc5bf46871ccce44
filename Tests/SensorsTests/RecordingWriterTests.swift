import Motion
import Testing

@testable import Sensors

struct RecordingWriterTests {
  @Test func `puts the mean of pressures into the line of the sample that follows`() throws {
    let file = try TemporaryFile("")
    do {
      var writer = try RecordingWriter(path: file.path)
      try writer.write([sample(0)])
      writer.keep([PressureSample(time: 0, pressure: 101_300), PressureSample(time: 1, pressure: 101_350)])
      try writer.write([sample(0.02), sample(0.04)])
      try writer.flush()
    }
    var reader = try RecordingReader(path: file.path)
    var block: [AccelerometerSample] = []
    #expect(try reader.read(into: &block))
    #expect(block == [sample(0), sample(0.02), sample(0.04)])
    #expect(reader.pressures == [RecordingReader.Pressure(index: 1, pascals: 101_325)])
  }

  @Test func `writes what the reader reads`() throws {
    let file = TemporaryFile()
    var random = SplitMix(seed: 3)
    let samples = (0..<5_000).map { index in
      AccelerometerSample(
        time: Double(index) / 50, x: .random(in: -16...16, using: &random), y: .random(in: -1...1, using: &random),
        z: .random(in: -0.001...0.001, using: &random))
    }
    do {
      var writer = try RecordingWriter(path: file.path)
      try writer.write(samples)
      #expect(writer.count == 5_000)
      try writer.flush()
    }
    let (back, malformed) = try readRecording(file.text)
    #expect(malformed.count == 0)
    #expect(back.count == samples.count)
    for (was, now) in zip(samples, back) {
      #expect(abs(was.time - now.time) <= 5e-7)
      #expect(abs(was.x - now.x) <= 1.5e-6 && abs(was.y - now.y) <= 6e-7 && abs(was.z - now.z) <= 6e-7)
    }
  }

  @Test(arguments: [
    (sample(0, 0, -0, 1), "0.000000,0.000000,0.000000,1.000000"),
    (sample(-1.5, -0.25, 16, -0.0000004), "-1.500000,-0.250000,16.000000,0.000000"),
    (sample(1e9 + 0.125, .nan, .infinity, 1), "1000000000.125000,nan,nan,1.000000"),
  ])
  func `writes six digits behind the point`(sample: AccelerometerSample, line: String) throws {
    let file = TemporaryFile()
    do {
      var writer = try RecordingWriter(path: file.path)
      try writer.write([sample])
    }
    #expect(try file.text == "t,x,y,z\n\(line)\n")
  }

  @Test func `says what to do where it may not write`() {
    let error = #expect(throws: SensorError.self) { _ = try RecordingWriter(path: "/nowhere/out.csv") }
    #expect(error?.code == .notFound)
  }
}
