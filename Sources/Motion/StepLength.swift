/// The length of a step, from the wearer's height and cadence.
///
/// Walking: R. Chen, L. Pei, Y. Chen, "A smart phone based PDR solution for indoor navigation", ION GNSS 2011: 0.7 m +
/// 0.371 (height − 1.75 m) + 0.227 (cadence − 1.79/s) · height/1.75 m, times a factor of the wearer, which is 1 until it is
/// calibrated. Models of this form, linear in height and cadence, were 2.5 to 5 % off in distance after calibration
/// (V. Renaudin, M. Susi, G. Lachapelle, Sensors 12, 2012, 8507–8525). Running is apart: its steps are longer at the same
/// cadence, and speed is gained by length; taken as 0.65 of the height at 2.7 steps/s, growing with the cadence. That one
/// is a rough mean of amateurs' (an error of 15 % is usual): calibrate for better.
enum StepLength {
  /// Returns a length in m for a height in m and a cadence in steps/s.
  static func estimate(height: Float, cadence: Float, isRunning: Bool) -> Float {
    if isRunning { return height * (0.65 + 0.3 * (min(max(cadence, 2), 4) - 2.7)) }
    let held = min(max(cadence, 0.5), 3)
    return 0.7 + 0.371 * (height - 1.75) + 0.227 * (held - 1.79) * (height / 1.75)
  }
}
