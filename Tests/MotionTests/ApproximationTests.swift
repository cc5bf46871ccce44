import Foundation
import Testing

@testable import Motion

struct ApproximationTests {
  @Test func `knows the logarithm to its stated error`() {
    var x: Float = 1e-12
    while x < 1e12 {
      let exact = log(Double(x))
      #expect(abs(Double(Approximation.logarithm(x)) - exact) < 2e-7 * max(1, abs(exact)))
      x *= 1.037
    }
  }

  @Test func `knows the exponential to its stated error`() {
    for i in -7900...7900 {
      let x = Float(i) / 100
      let exact = exp(Double(x))
      #expect(abs(Double(Approximation.exponential(x)) - exact) < 1e-5 * exact)
    }
    #expect(Approximation.exponential(1e9).isFinite)
    #expect(Approximation.exponential(-1e9) > 0)
  }
}
