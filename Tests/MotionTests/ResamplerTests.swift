import Testing

@testable import Motion

struct ResamplerTests {
  private func outputs(_ samples: [(Double, Float)]) -> [Resampler.Output] {
    var resampler = Resampler()
    var outputs: [Resampler.Output] = []
    for (i, (time, x)) in samples.enumerated() {
      resampler.take(SampleOrder.Item(time: time, acceleration: SIMD4(x, 0, 0, 0), begins: i == 0))
      while let output = resampler.next() { outputs.append(output) }
    }
    return outputs
  }

  @Test(arguments: [10.0, 12.5, 25, 31.25, 50, 100, 200])
  func `gives an even 25 Hz from any rate`(rate: Double) {
    let outputs = outputs((0...Int(rate * 4)).map { (Double($0) / rate, Float($0) / Float(rate)) })
    #expect(abs(outputs.count - 100) <= 1)
    for (i, output) in outputs.enumerated() {
      #expect(abs(output.time - (0.02 + 0.04 * Double(i))) < 1e-9)
      #expect(abs(Double(output.acceleration.x) - output.time) < 1e-4)  // a ramp stays a ramp
    }
  }

  @Test func `weighs a sample by the time it stands for`() {
    let outputs = outputs([(0, 0), (0.02, 1), (0.021, 1), (0.022, 1), (0.04, 0)])
    #expect(outputs.count == 1)
    #expect(abs(outputs[0].acceleration.x - 0.525) < 1e-3)
  }

  @Test func `mixes nothing from before the beginning of a signal`() {
    var resampler = Resampler()
    resampler.take(SampleOrder.Item(time: 0, acceleration: SIMD4(9, 0, 0, 0), begins: true))
    resampler.take(SampleOrder.Item(time: 0.03, acceleration: SIMD4(9, 0, 0, 0)))
    let early = resampler.next()
    #expect(early == nil)
    resampler.take(SampleOrder.Item(time: 5, acceleration: .zero, begins: true))
    resampler.take(SampleOrder.Item(time: 5.05, acceleration: .zero))
    let output = resampler.next()
    #expect(output?.acceleration == .zero)
    #expect(abs((output?.time ?? 0) - 5.02) < 1e-9)
  }
}
