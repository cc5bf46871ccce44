/// The length of a step, from the wearer's height and cadence.
enum StepLength {
  /// Returns a length in m for a height in m and a cadence in steps/s.
  static func estimate(height: Float, cadence: Float) -> Float {
    0.3 * height * max(cadence, 0.5).squareRoot()
  }
}
