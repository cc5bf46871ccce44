import Motion
import Testing

@testable import Sensors

/// Everything that a reader makes of a text.
func readRecording(_ text: String) throws -> (samples: [AccelerometerSample], malformed: MalformedLines) {
  let file = try TemporaryFile(text)
  var reader = try RecordingReader(path: file.path)
  var all: [AccelerometerSample] = []
  var block: [AccelerometerSample] = []
  while try reader.read(into: &block) { all += block }
  return (all, reader.malformed)
}

func sample(_ time: Double, _ x: Float = 0, _ y: Float = 0, _ z: Float = 1) -> AccelerometerSample {
  AccelerometerSample(time: time, x: x, y: y, z: z)
}

struct RecordingReaderTests {
  @Test(arguments: [
    "t,x,y,z\n0.02,0.1,-0.2,0.98\n",
    "0.02,0.1,-0.2,0.98\n",
    "0.02,0.1,-0.2,0.98",
    "t,x,y,z\r\n0.02,0.1,-0.2,0.98\r\n",
    "\u{FEFF}t,x,y,z\n0.02,0.1,-0.2,0.98\n",
    "\u{FEFF}0.02,0.1,-0.2,0.98\n",
    "\"time\",\"ax\",\"ay\",\"az\"\n0.02,0.1,-0.2,0.98\n",
    "# a watch\n\n  \nt,x,y,z\n# walking\n 0.02 , 0.1,\t-0.2, 0.98 \n\n",
    "2e-2,1e-1,-.2,+0.98\n",
    "0.020000000000000000000000,0.1000000000000000000000,-0.2,0.98\n",
  ])
  func `reads a sample in all its spellings`(text: String) throws {
    let (samples, malformed) = try readRecording(text)
    #expect(samples == [sample(0.02, 0.1, -0.2, 0.98)])
    #expect(malformed.count == 0)
  }

  @Test(arguments: [
    "0.02,0.1,-0.2", "0.02,0.1,-0.2,0.98,7", "0.02,0.1,-0.2,0.98,1013,1", "0.02,0.1,,0.98", "a,b,c,d",
    "0.02;0.1;-0.2;0.98",
    "0.02,0.1,-0.2,nan", "0.02,0.1,-0.2,inf", "0.02,0.1,-0.2,1001", "1e12,0.1,-0.2,0.98", "1e400,0,0,1", "0x2,0,0,1",
    "0.02 0.1 -0.2 0.98", "0,02,0,1,-0,2,0,98", "\u{0}\u{1}\u{2}", "0.02,0.1,-0.2,0.98 # turn", "{\"x\":1}", "−1,0,0,1",
  ])
  func `counts a line that is not a sample`(line: String) throws {
    let (samples, malformed) = try readRecording("t,x,y,z\n0,0,0,1\n\(line)\n1,0,0,1\n")
    #expect(samples == [sample(0), sample(1)])
    #expect(malformed.count == 1)
    #expect(malformed.first.map(\.number) == [3])
  }

  @Test func `takes the pressure of a fifth column, where it has one`() throws {
    let file = try TemporaryFile(
      "t,x,y,z,pressure_hpa\n0,0,0,1,1013.25\n1,0,0,1\n2,0,0,1,\n3,0,0,1, 1000 \r\n4,0,0,1,1300\n5,0,0,1,999.5")
    var reader = try RecordingReader(path: file.path)
    var block: [AccelerometerSample] = []
    var pressures: [Double: Float] = [:]
    var count = 0
    while try reader.read(into: &block) {
      for pressure in reader.pressures { pressures[block[pressure.index].time] = pressure.pascals }
      count += block.count
    }
    #expect(pressures == [0: 101_325, 3: 100_000, 5: 99_950])
    #expect(count == 5)
    #expect(reader.malformed.first.map(\.number) == [6])
  }

  @Test func `takes only a first line for a header`() throws {
    let (samples, malformed) = try readRecording("t,x,y,z\nt,x,y,z\n0,0,0,1\nt,x,y,z\n")
    #expect(samples.count == 1)
    #expect(malformed.first.map(\.number) == [2, 4])
    #expect(malformed.first.first?.text == "t,x,y,z")
  }

  @Test func `keeps the first five malformed lines, cut and printable`() throws {
    let bad = "\u{7}" + String(repeating: "b", count: 100)
    let (_, malformed) = try readRecording("0,0,0,1\n" + String(repeating: bad + "\n", count: 9))
    #expect(malformed.count == 9)
    #expect(malformed.first.map(\.number) == [2, 3, 4, 5, 6])
    #expect(malformed.first.last?.text == "?" + String(repeating: "b", count: 59))
  }

  @Test func `reads over the seams of its blocks without losing or doubling a line`() throws {
    let count = 20_000
    let text = (0..<count).map { "\(Double($0) / 50),0.\($0 % 1000),-\($0 % 7),\(1 + $0 % 2)\n" }.joined()
    let (samples, malformed) = try readRecording("t,x,y,z\n" + text)
    #expect(malformed.count == 0)
    #expect(samples.map(\.time) == (0..<count).map { Double($0) / 50 })
  }

  @Test(arguments: [1_000, 65_527, 65_528, 65_529, 65_536, 200_000])
  func `passes over a line without end and reads on behind it`(length: Int) throws {
    let (samples, malformed) = try readRecording("0,0,0,1\n" + String(repeating: "7", count: length) + "\n1,0,0,1\n")
    #expect(samples.map(\.time) == [0, 1])
    #expect(malformed.count == 1)
    #expect(malformed.first.map(\.number) == [2])
  }

  @Test func `begins again at the first line after rewinding`() throws {
    let file = try TemporaryFile("t,x,y,z\n0,0,0,1\n1,0,0,1")
    var reader = try RecordingReader(path: file.path)
    var block: [AccelerometerSample] = []
    var times: [Double] = []
    for _ in 0..<2 {
      while try reader.read(into: &block) { times += block.map(\.time) }
      try reader.rewind()
    }
    #expect(times == [0, 1, 0, 1])
    #expect(reader.malformed.count == 0)
    #expect(reader.size == 23)
  }

  @Test func `says what to do about a file that is not there`() {
    let error = #expect(throws: SensorError.self) { _ = try RecordingReader(path: "/nowhere/walk.csv") }
    #expect(error?.code == .notFound)
    #expect(error?.message == "/nowhere/walk.csv: there is no such file or directory; check the path")
  }

  @Test func `says what to do about a directory`() {
    let error = #expect(throws: SensorError.self) { _ = try RecordingReader(path: "/tmp") }
    #expect(error?.message == "/tmp: is a directory; name a file of lines t,x,y,z")
  }
}
