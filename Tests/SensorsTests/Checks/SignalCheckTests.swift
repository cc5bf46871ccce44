import Motion
import Testing

@testable import Sensors

struct SignalCheckTests {
  /// What the check says of so many seconds at 50 samples/s.
  private func findings(_ seconds: Int, _ magnitude: (Double) -> Double) -> [SignalCheck.Finding] {
    var check = SignalCheck(unit: .g)
    return (0..<seconds * 50).compactMap { index in
      let time = Double(index) / 50
      return check.take(sample(time, 0, 0, Float(magnitude(time))))
    }
  }

  @Test(arguments: [0.1, 0.5, 0.79, 1.21])
  func `warns once of a scale that is wrong`(felt: Double) {
    let findings = findings(60) { _ in felt }
    #expect(findings.count == 1)
    guard case .scale(let found) = findings.first else {
      Issue.record("\(findings)")
      return
    }
    #expect(abs(found - felt) < 0.01)
  }

  @Test(arguments: [0.81, 1, 1.19])
  func `is silent about a scale that is right`(felt: Double) {
    #expect(findings(60) { _ in felt } == [])
  }

  @Test func `looks only at rest, three seconds of it`() {
    #expect(findings(60) { 1.5 + 0.5 * ($0 * 100).truncatingRemainder(dividingBy: 7) / 7 } == [])
    #expect(findings(60) { $0.truncatingRemainder(dividingBy: 10) < 2 ? 1.5 : 1 } == [])
  }
}
