import Motion
import Testing

@testable import Sensors

struct ScanConverterTests {
  /// The boot clock is 1,000 s ahead of the monotonic one (the machine slept) and it is 2026.
  private func readings(_ boot: Double) -> ClockReadings {
    ClockReadings(boot: boot, monotonic: boot - 1_000, real: boot + 1.8e9)
  }

  private func converter(_ clock: StampClock.Kind, rate: Double? = 50) -> ScanConverter {
    ScanConverter(
      name: "chip", conversion: IIOConversion(scale: SIMD3(repeating: 0.00980665)), clock: clock, rate: rate,
      otherwise: 50)
  }

  private func scans(_ stamps: [Double], raw: SIMD3<Int64> = [0, 0, 1000]) -> [Scan] {
    stamps.map { Scan(raw: raw, stamp: Int64(($0 * 1e9).rounded())) }
  }

  @Test(
    arguments: [
      (.boottime, 0), (.monotonic, -1_000), (.realtime, 1.8e9), (.unknown, 77_777),
      (.boottime, 77_777),  // a driver whose stamps are by no clock of the kernel
    ] as [(StampClock.Kind, Double)])
  func `dates samples on the boot clock, whatever clock the stamps are by`(
    kind: StampClock.Kind, shift: Double
  ) throws {
    var converter = converter(kind)
    let stamps = [2_000, 2_000.02, 2_000.04].map { $0 + shift }
    let reading = try converter.take(scans(stamps), at: readings(2_000))
    #expect(reading.missing == 0)
    for (index, sample) in reading.samples.enumerated() {
      #expect(abs(sample.time - (2_000 + Double(index) * 0.02)) < 1e-5)
    }
    #expect(reading.samples.count == 3)
  }

  @Test func `spreads samples without stamps over the time before they arrived`() throws {
    var converter = converter(.boottime, rate: nil)
    let unstamped = Array(repeating: Scan(raw: [0, 0, 1000], stamp: nil), count: 4)
    let first = try converter.take(unstamped, at: readings(2_000)).samples.map(\.time)
    #expect(zip(first, [1_999.94, 1_999.96, 1_999.98, 2_000]).allSatisfy { abs($0 - $1) < 1e-9 })
    let bunched = try converter.take(unstamped, at: readings(2_000.01)).samples.map(\.time)
    #expect(bunched.allSatisfy { $0 > 2_000 } && bunched == bunched.sorted())
  }

  @Test func `counts what is missing between stamps`() throws {
    var converter = converter(.boottime)
    #expect(try converter.take(scans([2_000, 2_000.02, 2_000.06, 2_000.075]), at: readings(2_000)).missing == 1)
    #expect(try converter.take(scans([2_001.075, 2_001.095]), at: readings(2_001)).missing == 49)
  }

  @Test func `leaves out zeros, and gives up on a frozen sensor`() throws {
    var converter = converter(.boottime)
    #expect(try converter.take(scans([2_000], raw: .zero), at: readings(2_000)) == DeviceReading(failed: 1))
    #expect(try converter.take(scans([2_000.02]), at: readings(2_000)).samples.count == 1)
    _ = try converter.take(scans([2_000.04], raw: .zero), at: readings(2_000))
    let error = #expect(throws: SensorError.self) {
      _ = try converter.take(scans([2_001.05], raw: .zero), at: readings(2_001))
    }
    #expect(error == SensorError(.silent, "chip: frozen, gives 0, 0, 0; plug it in again"))
  }
}
