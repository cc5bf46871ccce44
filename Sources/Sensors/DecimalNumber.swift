/// A decimal number as it was written: a sign, digits as an integer, and a power of ten.
///
/// Turned into the nearest `Double` or `Float` without allocation. Numbers of at most 19 digits and moderate
/// exponents, which is all that sensors write, are exact by integer arithmetic; the rest goes through the standard
/// library (`isPlain` is false).
struct DecimalNumber {
  var isNegative = false
  var digits: UInt64 = 0
  /// The value is `digits` × 10^`exponent`.
  var exponent = 0
  /// Whether `digits` and `exponent` say all.
  var isPlain = true
}

extension DecimalNumber {
  /// Scans a number from an index on and moves the index behind it; nil when there is none.
  ///
  /// What stands behind the number must be within the bytes: a line's end will do.
  @inline(__always)
  init?(scanning bytes: borrowing Span<UInt8>, at index: inout Int) {
    var at = index
    if bytes[at] == UInt8(ascii: "-") {
      isNegative = true
      at += 1
    } else if bytes[at] == UInt8(ascii: "+") {
      at += 1
    }
    let first = at
    var value: UInt64 = 0
    var digit = bytes[at] &- UInt8(ascii: "0")
    while digit < 10 {
      value = value &* 10 &+ UInt64(digit)
      at += 1
      digit = bytes[at] &- UInt8(ascii: "0")
    }
    var count = at - first
    if bytes[at] == UInt8(ascii: ".") {
      at += 1
      let fraction = at
      digit = bytes[at] &- UInt8(ascii: "0")
      while digit < 10 {
        value = value &* 10 &+ UInt64(digit)
        at += 1
        digit = bytes[at] &- UInt8(ascii: "0")
      }
      exponent = fraction - at
      count += at - fraction
    }
    guard count > 0 else { return nil }
    if bytes[at] | 0x20 == UInt8(ascii: "e") {
      guard scanExponent(bytes, at: &at) else { return nil }
    }
    digits = value
    isPlain = isPlain && count <= 19
    index = at
  }

  /// Scans `e-5` and adds it to the exponent; false when no digit follows.
  private mutating func scanExponent(_ bytes: borrowing Span<UInt8>, at index: inout Int) -> Bool {
    index += 1
    let isNegative = bytes[index] == UInt8(ascii: "-")
    if isNegative || bytes[index] == UInt8(ascii: "+") { index += 1 }
    let first = index
    var value = 0
    while bytes[index] &- UInt8(ascii: "0") < 10 {
      value = min(value * 10 + Int(bytes[index] &- UInt8(ascii: "0")), 99_999)
      index += 1
    }
    exponent += isNegative ? -value : value
    return index > first
  }
}

extension DecimalNumber {
  /// The nearest `Double`; nil when the standard library has to be asked.
  @inline(__always)
  var double: Double? {
    guard isPlain else { return nil }
    let magnitude: Double
    if digits <= 1 << 53 && exponent <= 0 && exponent >= -22 {
      magnitude = Double(digits) / doublePowers[-exponent]  // both exact, so the quotient is rounded once
    } else {
      guard let (quotient, shift) = scaled else { return nil }
      magnitude = Double(quotient) * Double(sign: .plus, exponent: shift, significand: 1)
    }
    return isNegative ? -magnitude : magnitude
  }

  /// The nearest `Float`; nil when the standard library has to be asked.
  @inline(__always)
  var float: Float? {
    guard isPlain else { return nil }
    let magnitude: Float
    if digits <= 1 << 24 && exponent <= 0 && exponent >= -10 {
      magnitude = Float(digits) / floatPowers[-exponent]
    } else {
      guard let (quotient, shift) = scaled else { return nil }
      magnitude = Float(quotient) * Float(sign: .plus, exponent: shift, significand: 1)
    }
    return isNegative ? -magnitude : magnitude
  }

  /// The magnitude as an integer × 2^`shift`, good to be rounded once.
  ///
  /// The integer has at least 63 bits, the lowest of which is set if anything was left over: rounding it to 53 or 24
  /// bits then rounds the true value. Exponents from −19 to 0, so that 10^−exponent fits in 64 bits.
  private var scaled: (UInt64, Int)? {
    guard digits != 0 else { return (0, 0) }
    guard exponent <= 0, exponent >= -19 else { return nil }
    var power: UInt64 = 1
    for _ in 0..<(-exponent) { power *= 10 }
    let up = digits.leadingZeroBitCount
    let powerUp = power.leadingZeroBitCount
    let numerator = digits << UInt64(up)
    let (quotient, rest) = (power << UInt64(powerUp)).dividingFullWidth((numerator >> 1, numerator << 63))
    return (rest == 0 ? quotient : quotient | 1, powerUp - up - 63)
  }
}

/// The powers of ten that a `Double` holds exactly.
private let doublePowers: InlineArray<23, Double> = [
  1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
  1e21, 1e22,
]

/// The powers of ten that a `Float` holds exactly.
private let floatPowers: InlineArray<11, Float> = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10]
