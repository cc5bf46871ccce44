import Glibc
import Motion

/// Steps counted on synthetic signals of what nobody recorded: hands on a bar that rolls, and machines that shake.
struct Holes {
  /// A signal of 50 Hz: what shakes the device along and across gravity.
  private struct Model {
    let name: String
    /// Steps a second, 0 for a machine.
    let cadence: Double
    /// The bounce at each step, and the shaking of wheels or a motor (root mean square), in g.
    let bounce: Double
    let shaking: Double
    /// The turns of a drum a second, and how strongly it rocks the machine, in g.
    var drum = 0.0
    var rocking = 0.0
  }

  private static let models = [
    Model(name: "pram on a smooth floor, 110 steps/min", cadence: 1.83, bounce: 0.06, shaking: 0.02),
    Model(name: "pram on gravel, 110 steps/min", cadence: 1.83, bounce: 0.06, shaking: 0.1),
    Model(name: "trolley, 95 steps/min", cadence: 1.58, bounce: 0.05, shaking: 0.05),
    Model(name: "treadmill, hands on the bar, 120 steps/min", cadence: 2, bounce: 0.08, shaking: 0.03),
    Model(name: "rollator, 60 steps/min", cadence: 1, bounce: 0.04, shaking: 0.03),
    Model(name: "washing machine, washing", cadence: 0, bounce: 0, shaking: 0.02, drum: 0.85, rocking: 0.08),
    Model(name: "washing machine, spinning up", cadence: 0, bounce: 0, shaking: 0.08, drum: 6, rocking: 0.15),
    Model(name: "compressor at 2 Hz", cadence: 0, bounce: 0, shaking: 0.03, drum: 2, rocking: 0.05),
    Model(name: "strong motor", cadence: 0, bounce: 0, shaking: 0.3),
  ]

  /// Prints, for each model and sensitivity, what is counted in ten minutes.
  func run() {
    print("\(Table.padded("ten minutes of", 46))\(Table.padded("true", 8))low     normal  high")
    for model in Holes.models {
      let samples = Holes.samples(model)
      let counts = [Pedometer.Sensitivity.low, .normal, .high].map { sensitivity in
        Heard(samples, Pedometer(Pedometer.Configuration(sensitivity: sensitivity))).steps.count
      }
      let truth = "\(Int((600 * model.cadence).rounded()))"
      print(
        "\(Table.padded(model.name, 46))\(Table.padded(truth, 8))\(counts.map { Table.padded("\($0)", 8) }.joined())")
    }
  }

  private static func samples(_ model: Model) -> [AccelerometerSample] {
    var chance = Chance(seed: 7)
    func noise() -> Double { (chance.next() + chance.next() + chance.next() - 1.5) * 2 }
    var (phase, turn) = (0.0, 0.0)
    var road = SIMD2<Double>.zero
    return (0..<30_000).map { i in
      phase += 2 * .pi * model.cadence * (1 + 0.04 * noise()) / 50
      turn += 2 * .pi * model.drum / 50
      road = 0.5 * road + 0.87 * SIMD2(noise(), noise())
      // A step's bounce with its second harmonic, the left one a little stronger than the right one.
      let step = (1 + 0.15 * cos(phase / 2)) * cos(phase) + 0.4 * cos(2 * phase + 1)
      // A drum turns one way for twelve seconds and rests for four.
      let rocks = model.drum > 1 || i % 800 < 600 ? model.rocking : 0
      let up = 1 + model.bounce * step + rocks * sin(turn) + model.shaking * road.x
      let across = 0.3 * model.bounce * sin(phase / 2) + rocks * cos(turn) + model.shaking * road.y
      return AccelerometerSample(time: Double(i) / 50, x: Float(0.3 * up), y: Float(across), z: Float(0.954 * up))
    }
  }
}
