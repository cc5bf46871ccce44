// Four numbers at once, which is what all processors with vectors have; those without lose nothing.

extension SIMD4 where Scalar == Float {
  /// The smaller ones of two times four numbers; the library's own function takes one after the other.
  @inline(__always)
  func lower(_ other: SIMD4<Float>) -> SIMD4<Float> { replacing(with: other, where: other .< self) }

  /// The greater ones of two times four numbers.
  @inline(__always)
  func higher(_ other: SIMD4<Float>) -> SIMD4<Float> { replacing(with: other, where: other .> self) }

  /// The four numbers one place before these, which follow upon four others.
  @inline(__always)
  func before(following previous: SIMD4<Float>) -> SIMD4<Float> { SIMD4(previous[3], self[0], self[1], self[2]) }

  /// The four numbers one place after these, upon which four others follow.
  @inline(__always)
  func after(followedBy next: SIMD4<Float>) -> SIMD4<Float> { SIMD4(self[1], self[2], self[3], next[0]) }

  /// The sum of the four.
  @inline(__always)
  var total: Float { self[0] + self[1] + self[2] + self[3] }

  /// The sum of the first three: of a vector's products, whose fourth is 0.
  @inline(__always)
  var spatialTotal: Float { self[0] + self[1] + self[2] }

  /// The highest of the four, none of which is NaN.
  @inline(__always)
  var highest: Float {
    let pairs = higher(SIMD4(self[2], self[3], self[0], self[1]))
    return pairs.higher(SIMD4(pairs[1], pairs[0], pairs[3], pairs[2]))[0]
  }
}

extension InlineArray where Element == Float {
  /// The four neighbours from an index on.
  @inline(__always)
  mutating func four(from i: Int) -> SIMD4<Float> {
    #if arch(x86_64) || arch(arm64) || arch(wasm32)
      return unsafe span.bytes.unsafeLoadUnaligned(fromByteOffset: i &* 4, as: SIMD4<Float>.self)
    #else
      return SIMD4(self[i], self[i &+ 1], self[i &+ 2], self[i &+ 3])
    #endif
  }

  /// Moves the four neighbours from an index on by some places.
  @inline(__always)
  mutating func move(four i: Int, by places: Int) {
    let moved = four(from: i)
    for lane in 0..<4 { self[i &+ places &+ lane] = moved[lane] }
  }
}

/// The highest of many numbers and its place, found four at a time; of equal ones the first.
struct Highest {
  private var values: SIMD4<Float>
  private var places = SIMD4<Int32>.zero
  private var place: SIMD4<Int32>

  /// Begins with a number that has to be exceeded, and the place of the first number that will be taken.
  @inline(__always)
  init(above value: Float, from place: Int) {
    values = SIMD4(repeating: value)
    self.place = SIMD4(0, 1, 2, 3) &+ SIMD4(repeating: Int32(truncatingIfNeeded: place))
  }

  /// Takes the next four numbers.
  @inline(__always)
  mutating func take(_ four: SIMD4<Float>) {
    let isHigher = four .> values
    values.replace(with: four, where: isHigher)
    places.replace(with: place, where: isHigher)
    place &+= 4
  }

  /// The highest number and its place, which is 0 where none exceeded the beginning.
  @inline(__always)
  var result: (value: Float, place: Int) {
    var (value, place) = (values[0], places[0])
    for i in 1..<4 where values[i] > value || (values[i] == value && places[i] < place) {
      (value, place) = (values[i], places[i])
    }
    return (value, Int(place))
  }
}
