import Motion
import SeededRandom

/// How the count changes when times and samples are spoilt as devices spoil them.
struct Robustness {
  let manifest: Manifest
  let folds: Folds

  /// A way to spoil a recording.
  private struct Variation: Sendable {
    let name: String
    let change: @Sendable ([AccelerometerSample], inout Chance) -> [AccelerometerSample]
  }

  func run() throws {
    var totals = [(counted: Int, wrong: Int)](repeating: (0, 0), count: Robustness.variations.count)
    var truth = 0
    for row in manifest.rows where !row.isDoubtful {
      guard let steps = row.steps, steps >= 15 else { continue }
      truth += steps
      let samples = try Files.samples("\(manifest.root)/\(row.path)")
      for (i, variation) in Robustness.variations.enumerated() {
        var chance = Chance(seed: UInt64(i + 1))
        let heard = Heard(variation.change(samples, &chance), folds.pedometer(for: row.path))
        totals[i].counted += heard.steps.count
        totals[i].wrong += abs(heard.steps.count - steps)
      }
    }
    print("\(truth) true steps: counted, and the weighted error (WAPE) in %")
    for (variation, total) in zip(Robustness.variations, totals) {
      let error = (Double(total.wrong) / Double(truth) * 10000).rounded() / 100
      print(
        "\(variation.name)\(String(repeating: " ", count: max(1, 44 - variation.name.count)))\(total.counted)  \(error)"
      )
    }
  }

  private static let variations: [Variation] = [
    Variation(name: "as recorded") { samples, _ in samples },
    Variation(name: "thinned to 12.5 Hz") { samples, _ in samples.thinned(to: 12.5) },
    Variation(name: "thinned to 20 Hz") { samples, _ in samples.thinned(to: 20) },
    Variation(name: "interpolated to 100 Hz") { samples, _ in samples.interpolated(to: 100) },
    Variation(name: "stamps off by up to 30 % of the interval") { samples, chance in
      samples.jittered(by: 0.3, &chance)
    },
    Variation(name: "10 % of the samples missing") { samples, chance in
      samples.filter { _ in chance.next() >= 0.1 }
    },
    Variation(name: "5 % too strong") { samples, _ in samples.scaled(by: 1.05) },
    Variation(name: "5 % too weak") { samples, _ in samples.scaled(by: 0.95) },
    Variation(name: "turned") { samples, chance in samples.turned(&chance) },
    Variation(name: "7 samples in 8 ms each second") { samples, _ in samples.bunched() },
    Variation(name: "three samples on a stamp") { samples, _ in samples.grouped(by: 3) },
    Variation(name: "each tenth sample repeated, or too late") { samples, _ in samples.disordered() },
    Variation(name: "1 % no numbers") { samples, chance in
      samples.map { sample in
        chance.next() < 0.01 ? AccelerometerSample(time: sample.time, x: .nan, y: 0, z: 0) : sample
      }
    },
    Variation(name: "cut off at ±2 g") { samples, _ in samples.clipped(at: 2) },
    Variation(name: "a quarter faster") { samples, _ in samples.changed(stretch: 0.8, gain: 1, scale: 1) },
    Variation(name: "at half the speed, half as strong") { samples, _ in
      samples.changed(stretch: 2, gain: 0.5, scale: 1)
    },
    Variation(name: "at two thirds of the speed, 0.7 as strong") { samples, _ in
      samples.changed(stretch: 1.5, gain: 0.7, scale: 1)
    },
  ]
}

/// Numbers between 0 and 1 that follow from a seed.
struct Chance {
  private var generator: SplitMix

  init(seed: UInt64) { generator = SplitMix(seed: seed) }

  /// Returns a number of 0..<1.
  mutating func next() -> Double { Double(generator.next() >> 11) / 9_007_199_254_740_992 }
}

extension [AccelerometerSample] {
  private func mapped(_ change: (Int, AccelerometerSample) -> AccelerometerSample) -> [AccelerometerSample] {
    enumerated().map { change($0.offset, $0.element) }
  }

  /// The mean time between two samples, in s.
  private var interval: Double {
    guard count > 1 else { return 0.04 }
    return (self[count - 1].time - self[0].time) / Double(count - 1)
  }

  func interpolated(to rate: Double) -> [AccelerometerSample] {
    guard let first, let last else { return self }
    var result: [AccelerometerSample] = []
    var i = 0
    var time = first.time
    while time < last.time {
      while i + 2 < count, self[i + 1].time <= time { i += 1 }
      let (a, b) = (self[i], self[i + 1])
      let share = b.time > a.time ? Float((time - a.time) / (b.time - a.time)) : 0
      let held = Swift.min(Swift.max(share, 0), 1)
      if b.time - a.time < 0.5 {
        result.append(
          AccelerometerSample(
            time: time, x: a.x + (b.x - a.x) * held, y: a.y + (b.y - a.y) * held, z: a.z + (b.z - a.z) * held))
      }
      time += 1 / rate
    }
    return result
  }

  func jittered(by share: Double, _ chance: inout Chance) -> [AccelerometerSample] {
    let most = share * interval
    return map { sample in
      var sample = sample
      sample.time += (2 * chance.next() - 1) * most
      return sample
    }
  }

  func scaled(by factor: Float) -> [AccelerometerSample] {
    map { AccelerometerSample(time: $0.time, x: $0.x * factor, y: $0.y * factor, z: $0.z * factor) }
  }

  /// Turned by an angle about each axis.
  func turned(_ chance: inout Chance) -> [AccelerometerSample] {
    let parts = (0..<4).map { _ in Float(chance.next() - 0.5) }
    let norm = parts.reduce(0) { $0 + $1 * $1 }.squareRoot() + 1e-6
    let (w, x, y, z) = (parts[0] / norm, parts[1] / norm, parts[2] / norm, parts[3] / norm)
    return map { s in
      AccelerometerSample(
        time: s.time,
        x: (1 - 2 * (y * y + z * z)) * s.x + 2 * (x * y - w * z) * s.y + 2 * (x * z + w * y) * s.z,
        y: 2 * (x * y + w * z) * s.x + (1 - 2 * (x * x + z * z)) * s.y + 2 * (y * z - w * x) * s.z,
        z: 2 * (x * z - w * y) * s.x + 2 * (y * z + w * x) * s.y + (1 - 2 * (x * x + y * y)) * s.z)
    }
  }

  /// Seven samples each second are handed over late, within 8 ms.
  func bunched() -> [AccelerometerSample] {
    let each = Swift.max(Int((1 / interval).rounded()), 8)
    return mapped { i, sample in
      let place = i % each
      guard place < 7, i - place + 6 < count else { return sample }
      var late = sample
      late.time = self[i - place + 6].time - 0.0013 * Double(6 - place)
      return late
    }
  }

  func grouped(by size: Int) -> [AccelerometerSample] {
    mapped { i, sample in
      var grouped = sample
      grouped.time = self[Swift.min(i - i % size + size - 1, count - 1)].time
      return grouped
    }
  }

  func disordered() -> [AccelerometerSample] {
    var result: [AccelerometerSample] = []
    for (i, sample) in enumerated() {
      result.append(sample)
      if i % 10 == 3 { result.append(sample) }
      if i % 10 == 7 { result.append(self[i - 3]) }
    }
    return result
  }

  func clipped(at limit: Float) -> [AccelerometerSample] {
    func held(_ value: Float) -> Float { Swift.min(Swift.max(value, -limit), limit) }
    return map { AccelerometerSample(time: $0.time, x: held($0.x), y: held($0.y), z: held($0.z)) }
  }
}
