import Foundation
import Testing

@testable import Motion

struct ApproximationTests {
  @Test func `knows the logarithm to its stated error`() {
    var x: Float = 1e-12
    while x < 1e12 {
      let exact = log(Double(x))
      let found = Approximation.logarithm(x)
      #expect(abs(Double(found) - exact) < 2e-7 * max(1, abs(exact)))
      #expect(Approximation.logarithm(SIMD8(repeating: x)) == SIMD8(repeating: found))
      x *= 1.037
    }
  }

  private func exponential(_ x: Float) -> Float { Approximation.exponential(SIMD8(repeating: x))[3] }

  @Test func `knows the exponential to its stated error`() {
    for i in -7900...7900 {
      let x = Float(i) / 100
      let exact = exp(Double(x))
      #expect(abs(Double(exponential(x)) - exact) < 1e-5 * exact)
    }
    #expect(exponential(1e9).isFinite)
    #expect(exponential(-1e9) > 0)
  }
}
