/// How far the agent has come: what a watchdog asks for at each turn.
public struct Progress: Sendable, Equatable {
  /// How many samples were taken since the start.
  public var samples: Int
  /// Whether a sensor is open that never pauses.
  public var samplesAreDue: Bool

  /// Makes a progress.
  public init(samples: Int, samplesAreDue: Bool) {
    self.samples = samples
    self.samplesAreDue = samplesAreDue
  }

  /// Whether the agent has moved on, or rightly waits: a steady sensor that was open then and now has given samples.
  public func isAlive(since earlier: Progress) -> Bool {
    !samplesAreDue || !earlier.samplesAreDue || samples > earlier.samples
  }
}
