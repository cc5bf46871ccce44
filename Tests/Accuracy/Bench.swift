import Motion

/// What the engine costs: time for a second of signal at 25 Hz, and the size of its state.
struct Bench {
  /// The one signal to take, where only one is wanted.
  var only: String?
  /// How often each signal is taken; the fastest time counts.
  var passes = 20

  private static let signals = [("still", 0.0, 1.0), ("walking", 0.2, 1.8), ("running", 0.7, 2.7)]

  func run() {
    print("state: \(MemoryLayout<Pedometer>.size) bytes")
    for (name, strength, cadence) in Bench.signals where only == nil || only == name {
      let samples = Bench.signal(strength: strength, cadence: cadence, seconds: 600)
      var best = Duration.seconds(1000)
      var steps = 0
      for _ in 0..<passes {
        var pedometer = Pedometer()
        steps = 0
        let took = ContinuousClock().measure {
          for sample in samples {
            pedometer.take(sample) { event in
              if case .step = event { steps += 1 }
            }
          }
        }
        best = min(best, took)
      }
      let nanoseconds = Double(best.components.attoseconds) * 1e-9 + Double(best.components.seconds) * 1e9
      let each = nanoseconds / Double(samples.count)
      print("\(name): \(rounded(each)) ns a sample, \(rounded(each * 25 / 1000)) µs a second of signal, \(steps) steps")
    }
  }

  private func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }

  /// A bounce with a harmonic, and a little noise (a linear congruential generator's), at 25 Hz.
  static func signal(strength: Double, cadence: Double, seconds: Int) -> [AccelerometerSample] {
    var state: UInt32 = 1
    func noise() -> Double {
      state = state &* 1_664_525 &+ 1_013_904_223
      return (Double(state >> 8) / 16_777_216 - 0.5) * 0.01
    }
    return (0..<seconds * 25).map { i in
      let time = Double(i) * 0.04
      let turn = (time * cadence).truncatingRemainder(dividingBy: 1)
      let arch = turn < 0.5 ? 16 * turn * (0.5 - turn) : -16 * (turn - 0.5) * (1 - turn)
      let half = (time * cadence / 2).truncatingRemainder(dividingBy: 1) < 0.5 ? 0.3 : -0.3
      return AccelerometerSample(
        time: time, x: Float(1 + strength * arch + noise()), y: Float(strength * half + noise()), z: Float(noise()))
    }
  }
}
