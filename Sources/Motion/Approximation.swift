/// Logarithm and exponential without a mathematics library, which embedded builds lack.
///
/// Only additions, multiplications and one division in a fixed order: every machine gives the same bits.
enum Approximation {
  /// Returns the natural logarithm of a positive, normal number; the error is below 2·10⁻⁷ of max(1, |ln x|).
  ///
  /// The mantissa m is brought into √½…√2, where ln m = 2·artanh((m−1)/(m+1)) converges within four terms.
  static func logarithm(_ x: Float) -> Float {
    var exponent = Float(Int32(bitPattern: x.bitPattern >> 23) &- 127)
    var mantissa = Float(bitPattern: (x.bitPattern & 0x007F_FFFF) | 0x3F80_0000)
    if mantissa > 1.414_213_5 {
      mantissa *= 0.5
      exponent += 1
    }
    let s = (mantissa - 1) / (mantissa + 1)
    let q = s * s
    let series = 2 * s * (1 + q * (0.333_333_34 + q * (0.2 + q * 0.142_857_15)))
    return exponent * 0.693_147_2 + series
  }

  /// Returns e to the power of a number, which is held between −80 and 80; the relative error is below 10⁻⁵.
  ///
  /// The power is split into a whole one of 2 and a rest within ±½·ln 2, for which six terms of the series do.
  static func exponential(_ x: Float) -> Float {
    let held = min(max(x, -80), 80)
    let scaled = held * 1.442_695
    let whole = Int32(scaled + (scaled < 0 ? -0.5 : 0.5))
    let r = held - Float(whole) * 0.693_147_2
    let series = 1 + r * (1 + r * (0.5 + r * (0.166_666_67 + r * (0.041_666_668 + r * 0.008_333_334))))
    return series * Float(bitPattern: UInt32(bitPattern: whole &+ 127) << 23)
  }
}
