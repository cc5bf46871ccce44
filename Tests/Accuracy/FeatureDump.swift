import Motion

/// Writes what the network is asked while it hears a recording, changed as a job says.
///
/// A job is a line `recording,stretch,gain,scale,rate,name`: times are multiplied by `stretch`, movements by `gain`,
/// everything by `scale`, and where `rate` is not 0 the samples are thinned to that rate in Hz first. DIRECTORY/name then
/// holds rows of 32-bit floats: the time in s and the features.
struct FeatureDump {
  let directory: String

  func run(jobs path: String) throws {
    for line in try Files.lines(path) {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      guard fields.count == 6, let stretch = Double(fields[1]), let gain = Float(fields[2]),
        let scale = Float(fields[3]), let rate = Double(fields[4])
      else { continue }
      let samples = try Files.samples(String(fields[0])).thinned(to: rate)
      let rows = samples.changed(stretch: stretch, gain: gain, scale: scale).rows(
        heardBy: .untrained(), looks: { $0.looks }, features: { $0.features() })
      try Files.write(rows, to: "\(directory)/\(fields[5])")
    }
  }
}

extension [AccelerometerSample] {
  /// Returns a row for each look of an engine that hears the samples: the time in s and the features, where there are any.
  func rows(
    heardBy engine: Pedometer, looks: (inout Pedometer) -> Int32, features: (inout Pedometer) -> [Float]?
  ) -> [Float] {
    var pedometer = engine
    var looked = looks(&pedometer)
    var rows: [Float] = []
    for sample in self {
      pedometer.take(sample) { _ in }
      let now = looks(&pedometer)
      guard now != looked else { continue }
      looked = now
      if let features = features(&pedometer) { rows += [Float(sample.time)] + features }
    }
    return rows
  }

  /// Returns the samples that a device of a lower rate would have given: means of what lies between.
  func thinned(to rate: Double) -> [AccelerometerSample] {
    guard rate > 0, let first else { return self }
    var thinned: [AccelerometerSample] = []
    var sum = SIMD3<Float>.zero
    var count: Float = 0
    var end = first.time + 1 / rate
    for sample in self {
      if sample.time >= end, count > 0 {
        let mean = sum / count
        thinned.append(AccelerometerSample(time: end - 0.5 / rate, x: mean.x, y: mean.y, z: mean.z))
        sum = .zero
        count = 0
        while sample.time >= end { end += 1 / rate }
      }
      sum += SIMD3(sample.x, sample.y, sample.z)
      count += 1
    }
    return thinned
  }

  /// Returns the samples slowed by a factor, with movements (what differs from the mean of about a second) and then all
  /// scaled.
  func changed(stretch: Double, gain: Float, scale: Float) -> [AccelerometerSample] {
    guard let first else { return self }
    var level = SIMD3(first.x, first.y, first.z)
    var previous = first.time
    return map { sample in
      let now = SIMD3(sample.x, sample.y, sample.z)
      let passed = Float(Swift.max(sample.time - previous, 0))
      previous = sample.time
      level += (passed / (1 + passed)) * (now - level)
      let moved = scale * (now + (gain - 1) * (now - level))
      return AccelerometerSample(time: sample.time * stretch, x: moved.x, y: moved.y, z: moved.z)
    }
  }
}
