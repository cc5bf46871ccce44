import Testing

@testable import Motion

struct StepLengthTests {
  @Test(arguments: [(Float(1.75), Float(1.79), Float(0.7)), (1.6, 1.5, 0.584), (1.9, 2.1, 0.832), (1.7, 0.9, 0.485)])
  func `follows the published formula for walking`(height: Float, cadence: Float, expected: Float) {
    #expect(abs(StepLength.estimate(height: height, cadence: cadence, isRunning: false) - expected) < 0.002)
  }

  @Test func `running steps are longer, and grow with cadence`() {
    let walk = StepLength.estimate(height: 1.75, cadence: 2.6, isRunning: false)
    let run = StepLength.estimate(height: 1.75, cadence: 2.6, isRunning: true)
    #expect(run > walk)
    #expect(StepLength.estimate(height: 1.75, cadence: 3, isRunning: true) > run)
  }
}
