internal import Agent
internal import Motion

extension World {
  /// Lets time pass, with a tick at each of the machine's deadlines.
  public mutating func advance(_ milliseconds: Int64) {
    let end = now.monotonic + milliseconds
    var idle = 0
    while let due = machine.nextDeadline, due <= end {
      let former = now.monotonic
      move(to: max(due, now.monotonic))
      idle = now.monotonic == former ? idle + 1 : 0
      if idle > 200 { return faults.append("the machine spins at \(now.monotonic)") }
      send(.tick)
    }
    move(to: end)
  }

  /// Suspends the device: both clocks go on, nobody does anything, then what was due is late.
  public mutating func suspend(_ milliseconds: Int64) {
    move(to: now.monotonic + milliseconds)
    send(.tick)
  }

  private mutating func move(to monotonic: Int64) {
    now.wall += monotonic - now.monotonic
    now.monotonic = monotonic
  }

  /// Takes steps, one each 500 ms, as the engine would report them.
  public mutating func walk(_ steps: Int) {
    for _ in 0..<steps {
      advance(500)
      step()
    }
  }

  /// Takes one step now.
  public mutating func step() {
    guard isSensorOpen else { return }
    let time = Double(now.monotonic) / 1000
    send(.motion(.step(Step(time: time, duration: 0.5, length: 0.7, cadence: 2))))
  }
}
