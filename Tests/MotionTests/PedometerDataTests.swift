import Motion
import Testing

@Suite struct PedometerDataTests {
  @Test func `steps add up to distance, pace and cadence, and standing has neither pace nor cadence`() {
    var data = PedometerData(start: 10, end: 10)
    #expect(data.distance == nil)
    #expect(data.averageActivePace == nil)
    for number in 1...4 {
      data.add(Step(time: 10 + Double(number) / 2, duration: 0.5, length: 0.75, cadence: 2))
    }
    #expect(data.steps == 4)
    #expect(data.end == 12)
    #expect(data.distance == 3)
    #expect(data.activeDuration == 2)
    #expect(data.currentCadence == 2)
    #expect(data.currentPace == 1 / 1.5)
    #expect(data.averageActivePace == 2.0 / 3)
    data.pause()
    #expect(data.currentCadence == nil)
    #expect(data.currentPace == nil)
    #expect(data.averageActivePace == 2.0 / 3, "the mean is over the time on foot, so standing does not change it")
  }
}
