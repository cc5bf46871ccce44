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

  /// Returns the logarithms of eight numbers, the same ones as one by one.
  static func logarithm(_ x: SIMD8<Float>) -> SIMD8<Float> {
    let bits = unsafe unsafeBitCast(x, to: SIMD8<UInt32>.self)
    var exponent = SIMD8<Float>(SIMD8<Int32>(truncatingIfNeeded: bits &>> 23) &- 127)
    var mantissa = unsafe unsafeBitCast((bits & 0x007F_FFFF) | 0x3F80_0000, to: SIMD8<Float>.self)
    let isHigh = mantissa .> 1.414_213_5
    mantissa.replace(with: mantissa * 0.5, where: isHigh)
    exponent.replace(with: exponent + 1, where: isHigh)
    let s = (mantissa - 1) / (mantissa + 1)
    let q = s * s
    var series = 0.2 + q * 0.142_857_15
    series = 0.333_333_34 + q * series
    series = 2 * s * (1 + q * series)
    return exponent * 0.693_147_2 + series
  }

  /// Returns e to the power of eight numbers, which are held between −80 and 80; the relative error is below 10⁻⁵.
  ///
  /// A power is split into a whole one of 2 and a rest within ±½·ln 2, for which six terms of the series do.
  static func exponential(_ x: SIMD8<Float>) -> SIMD8<Float> {
    let lowest = SIMD8<Float>(repeating: -80)
    let highest = SIMD8<Float>(repeating: 80)
    var held = x.replacing(with: lowest, where: x .< lowest)
    held.replace(with: highest, where: held .> highest)
    // 1.5 · 2²³ has no room for parts: what is added to it is rounded, and stands in its last bits.
    let large: Float = 12_582_912
    let sum = held * 1.442_695 + large
    let r = held - (sum - large) * 0.693_147_2
    var series = 0.041_666_668 + r * 0.008_333_334
    series = 0.166_666_67 + r * series
    series = 0.5 + r * series
    series = 1 + r * series
    series = 1 + r * series
    let whole = unsafe unsafeBitCast(sum, to: SIMD8<UInt32>.self) &- large.bitPattern
    return unsafe series * unsafeBitCast((whole &+ 127) &<< 23, to: SIMD8<Float>.self)
  }
}
