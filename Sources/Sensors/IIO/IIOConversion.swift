import Motion

/// How the raw numbers of an IIO accelerometer, in steps of so many m/s², become g.
struct IIOConversion: Sendable, Equatable {
  /// What one digit of each axis means, in m/s².
  var scale: SIMD3<Double> = [1, 1, 1]
  /// What is added to each axis' number before it is scaled.
  var offset: SIMD3<Double> = [0, 0, 0]
  /// How the sensor sits in the device.
  var mount = MountMatrix.identity

  /// A sample from three raw numbers: (raw + offset) × scale, turned as the device is mounted.
  func sample(_ raw: SIMD3<Int64>, at time: Double) -> AccelerometerSample {
    let felt = mount((SIMD3<Double>(raw) + offset) * scale / AccelerometerSample.standardGravity)
    return AccelerometerSample(time: time, x: Float(felt.x), y: Float(felt.y), z: Float(felt.z))
  }
}

/// The rotation from the sensor's axes to the device's, as the kernel writes it: `0, 1, 0; -1, 0, 0; 0, 0, 1`.
struct MountMatrix: Sendable, Equatable {
  static let identity = MountMatrix(rows: [1, 0, 0], [0, 1, 0], [0, 0, 1])

  private let rows: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)

  private init(rows x: SIMD3<Double>, _ y: SIMD3<Double>, _ z: SIMD3<Double>) {
    rows = (x, y, z)
  }

  /// Reads nine numbers; nil where there are not nine, or the matrix would lose or stretch what it turns.
  init?(_ text: String) {
    let numbers = text.split { $0 == "," || $0 == ";" || $0.isWhitespace }.map { Double($0) }
    guard numbers.count == 9 else { return nil }
    let n = numbers.compactMap(\.self)
    guard n.count == 9 else { return nil }
    self.init(rows: [n[0], n[1], n[2]], [n[3], n[4], n[5]], [n[6], n[7], n[8]])
    for row in [rows.0, rows.1, rows.2] {
      guard abs((row * row).sum() - 1) < 0.1 else { return nil }
    }
  }

  func callAsFunction(_ value: SIMD3<Double>) -> SIMD3<Double> {
    [(rows.0 * value).sum(), (rows.1 * value).sum(), (rows.2 * value).sum()]
  }

  static func == (left: MountMatrix, right: MountMatrix) -> Bool {
    left.rows == right.rows
  }
}
