import Testing

@testable import Motion

struct ResamplerTests {
  private func outputs(_ samples: [(Double, Float)]) -> [Resampler.Output] {
    var resampler = Resampler()
    var outputs: [Resampler.Output] = []
    for (time, x) in samples {
      _ = resampler.take(time: time, acceleration: SIMD3(x, 0, 0))
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

  @Test func `begins anew after a gap of more than half a second`() {
    var resampler = Resampler()
    let first = resampler.take(time: 1, acceleration: .zero)
    let second = resampler.take(time: 1.5, acceleration: .one)
    while resampler.next() != nil {}
    let third = resampler.take(time: 2.01, acceleration: .one)
    #expect([first, second, third] == [false, true, false])
    let output = resampler.next()
    #expect(output == nil)
  }
}
