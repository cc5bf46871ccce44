import Motion
import Testing

@testable import Sensors

struct IIOConversionTests {
  @Test(arguments: [
    (SIMD3<Int64>(0, 0, 1000), 0.00980665, 0.0, SIMD3<Float>(0, 0, 1)),
    (SIMD3<Int64>(-512, 256, 0), 0.0383074, 0, SIMD3<Float>(-2, 1, 0)),
    (SIMD3<Int64>(2048, 2048, 2304), 0.0383074, -2048, SIMD3<Float>(0, 0, 1)),
  ])
  func `adds the offset, scales, and turns m/s² into g`(
    raw: SIMD3<Int64>, scale: Double, offset: Double, felt: SIMD3<Float>
  ) {
    let conversion = IIOConversion(scale: SIMD3(repeating: scale), offset: SIMD3(repeating: offset))
    let sample = conversion.sample(raw, at: 3)
    #expect(sample.time == 3)
    let difference = SIMD3(sample.x, sample.y, sample.z) - felt
    #expect((difference * difference).sum() < 1e-9)
  }

  @Test func `scales each axis by its own`() {
    let conversion = IIOConversion(scale: [9.80665, 2 * 9.80665, 3 * 9.80665], offset: [0, 1, -1])
    let sample = conversion.sample([1, 1, 2], at: 0)
    #expect(SIMD3(sample.x, sample.y, sample.z) == [1, 4, 3])
  }

  @Test func `turns a sensor as it is mounted`() throws {
    var conversion = IIOConversion(scale: SIMD3(repeating: 9.80665))
    conversion.mount = try #require(MountMatrix("0, 1, 0; -1, 0, 0; 0, 0, 1"))
    let sample = conversion.sample([1, 2, 3], at: 0)
    #expect(SIMD3(sample.x, sample.y, sample.z) == [2, -1, 3])
  }

  @Test(arguments: [
    "", "1, 0, 0", "1, 0, 0; 0, 1, 0; 0, 0", "1, 0, 0; 0, 1, 0; 0, 0, 1, 5", "a, 0, 0; 0, 1, 0; 0, 0, 1",
    "0, 0, 0; 0, 1, 0; 0, 0, 1", "2, 0, 0; 0, 2, 0; 0, 0, 2",
  ])
  func `does not take for a mount matrix what would lose or stretch an axis`(text: String) {
    #expect(MountMatrix(text) == nil)
  }

  @Test(arguments: ["1, 0, 0; 0, 1, 0; 0, 0, 1", "1,0,0;0,1,0;0,0,1\n", "1.0, 0.0, 0.0; 0, 1, 0; 0, 0, 1.000"])
  func `reads a mount matrix in its spellings`(text: String) {
    #expect(MountMatrix(text) == .identity)
  }
}

struct SamplingRateTests {
  @Test(
    arguments: [
      (50, nil, 50), (50, "1 10 25 50 100 200 400 1600", 50), (50, "12.5 25 62.5 125", 62.5),
      (50, "0.78 1.56 12.5", 12.5),
      (50, "400 800", 400), (50, "1 5", 5), (50, "", 50), (50, "nonsense", 50), (50, "[1 1 100]", 50),
      (50, "[60 1 100]", 60), (50, "[1 1 25]", 25), (20, "25.000000 50.000000", 25), (300, "100 200 400", 200),
    ] as [(Double, String?, Double)])
  func `is the lowest that is high enough, of those with which steps can be counted`(
    wanted: Double, available: String?, choice: Double
  ) {
    #expect(SamplingRate.choose(wanted, from: available) == choice)
  }

  @Test(
    arguments: [
      (12.5, 2), (25, 4), (50, 8), (100, 16), (1600, 64), (1, 1), (nil, 4), (.infinity, 4),
      (1e300, 64),
    ] as [(Double?, Int)])
  func `makes samples come together for at most 0.16 s`(rate: Double?, count: Int) {
    #expect(SamplingRate.together(rate) == count)
  }

  @Test(
    arguments: [
      ("50", 50), ("12.500000", 12.5), ("0.781000", 0.781), (nil, nil), ("", nil), ("fast", nil), ("0", nil),
      ("0.000000", nil), ("-50", nil), ("1e300", nil), ("1e-300", nil), ("inf", nil), ("nan", nil),
    ] as [(String?, Double?)])
  func `is not known where a driver tells what no accelerometer does`(text: String?, rate: Double?) {
    #expect(SamplingRate.read(text) == rate)
  }

  @Test func `is written without a fraction where it has none`() {
    #expect(SamplingRate.text(50) == "50")
    #expect(SamplingRate.text(62.5) == "62.5")
  }

  @Test func `is at most 400 where haste is needed`() {
    #expect(SamplingRate.highest(of: "1 10 400 1600") == 400)
    #expect(SamplingRate.highest(of: nil) == nil)
  }
}
