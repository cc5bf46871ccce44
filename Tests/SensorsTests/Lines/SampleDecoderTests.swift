import Motion
import Testing

@testable import Sensors

struct SampleDecoderTests {
  private func decode(
    _ text: String, mayLackTime: Bool = true, unit: AccelerationUnit = .g
  ) -> (samples: [AccelerometerSample], decoder: SampleDecoder) {
    var decoder = SampleDecoder(.init(time: .milliseconds, mayLackTime: mayLackTime, unit: unit))
    var samples: [AccelerometerSample] = []
    decoder.decode(Array(text.utf8).span, into: &samples)
    return (samples, decoder)
  }

  @Test(
    arguments: [
      (.g, "40,0.5,-0.25,1\n"), (.mg, "40,500,-250,1000\n"),
      (.metresPerSecondSquared, "40,4.903325,-2.4516625,9.80665\n"),
    ] as [(AccelerationUnit, String)])
  func `gives g, whatever the unit`(unit: AccelerationUnit, line: String) throws {
    let sample = try #require(decode(line, unit: unit).samples.first)
    #expect(sample.time == 0.04)
    #expect(abs(sample.x - 0.5) < 1e-6 && abs(sample.y + 0.25) < 1e-6 && abs(sample.z - 1) < 1e-6)
  }

  @Test func `takes lines without a time when the first has none`() {
    let (samples, decoder) = decode("x,y,z\n0.1,0.2,0.9\n0.2, 0.3 ,1\r\n")
    #expect(samples == [sample(0, 0.1, 0.2, 0.9), sample(0, 0.2, 0.3, 1)])
    #expect(decoder.isStamped == false)
    #expect(decoder.malformed.count == 0)
  }

  @Test(arguments: [("20,0,0,1\n0,0,1\n", true), ("0,0,1\n20,0,0,1\n", false)])
  func `takes a line of the other form for one that is damaged`(text: String, isStamped: Bool) {
    let (samples, decoder) = decode(text)
    #expect(samples.count == 1)
    #expect(decoder.isStamped == isStamped)
    #expect(decoder.malformed.first.map(\.number) == [2])
  }

  @Test func `wants a time where it may not be left out`() {
    #expect(decode("0,0,1\n", mayLackTime: false).decoder.malformed.count == 1)
  }
}
