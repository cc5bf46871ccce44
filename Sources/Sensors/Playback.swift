import Motion

/// Samples that exist beforehand, one after the other, with times in seconds from any zero.
protocol SampleSequence: ~Copyable {
  /// The next sample; nil at the end.
  mutating func next() throws(SensorError) -> AccelerometerSample?
  /// The pressure that was taken with the sample given last, in Pa; nil where there is none.
  var pressure: Float? { get }
  /// What was no good so far.
  var faults: SensorFaults { get }
}

/// Delivers samples at the time at which they would have been taken, in few wake-ups.
///
/// The first sample gets the boot time at which playing begins; every other one is as much later as it was taken
/// later, whatever the speed. Samples are delivered in chunks of at most 0.19 s of their own time, each when its
/// last sample is due, and after a wait the next one is at least 0.1 s long: a sample comes at most 0.2 s late, and at
/// any speed there are at most ten wake-ups a second.
struct Playback<C: Clock>: Sendable where C.Duration == Duration {
  /// The shortest time between two wake-ups, in seconds.
  static var shortestWait: Double { 0.1 }
  /// The longest single wait, in seconds: bounds what a wild time in a recording turns into.
  static var longestWait: Double { 1e6 }

  let speed: PlaybackSpeed
  let clock: C
  let bootTime: @Sendable () -> Double

  /// Plays until the sequence ends or the task is cancelled.
  func play(
    _ sequence: inout some SampleSequence & ~Copyable, as description: SensorDescription,
    _ deliver: nonisolated(nonsending) (SensorEvent) async -> Void
  ) async throws(SensorError) {
    guard var sample = try sequence.next() else {
      throw SensorError(.invalid, "\(description.name): holds no sample; lines must be t,x,y,z in seconds and g")
    }
    let zero = sample.time
    let boot = bootTime()
    var pacer = Pacer(clock: clock, speed: speed)
    var faults = SensorFaults()
    var chunk: [AccelerometerSample] = []
    var pressures: [PressureSample] = []
    await deliver(.opened(description))
    while !Task.isCancelled {
      let start = sample.time
      var latest = start
      var next: AccelerometerSample? = sample
      chunk.removeAll(keepingCapacity: true)
      pressures.removeAll(keepingCapacity: true)
      while let taken = next, Chunks.isIn(chunkFrom: start, of: chunk.count, taken) {
        latest = max(latest, taken.time)
        let time = boot + (taken.time - zero)
        chunk.append(AccelerometerSample(time: time, x: taken.x, y: taken.y, z: taken.z))
        if let pressure = sequence.pressure { pressures.append(PressureSample(time: time, pressure: pressure)) }
        next = try sequence.next()
      }
      guard await pacer.wait(until: latest - zero) else { return }
      if sequence.faults != faults {
        faults = sequence.faults
        await deliver(.faults(faults))
      }
      await deliver(.samples(chunk))
      if !pressures.isEmpty { await deliver(.pressures(pressures)) }
      guard let next else {
        await deliver(.ended)
        return
      }
      sample = next
    }
  }
}

/// Turns the time of samples into waits.
private struct Pacer<C: Clock> where C.Duration == Duration {
  let clock: C
  let speed: PlaybackSpeed
  let began: C.Instant
  var woke: C.Instant

  init(clock: C, speed: PlaybackSpeed) {
    self.clock = clock
    self.speed = speed
    began = clock.now
    woke = began
  }

  /// Waits until so many seconds of the samples' time have gone by; false when cancelled.
  mutating func wait(until time: Double) async -> Bool {
    guard case .times(let factor) = speed else { return true }
    let now = clock.now
    let due = time / factor
    let ahead = due - (began.duration(to: now) / .seconds(1))
    guard ahead > 0 else { return true }
    let earliest = woke.advanced(by: .seconds(Playback<C>.shortestWait))
    let then = max(now.advanced(by: .seconds(min(ahead, Playback<C>.longestWait))), earliest)
    do {
      try await clock.sleep(until: then, tolerance: nil)
    } catch {
      return false
    }
    woke = clock.now
    return true
  }
}
