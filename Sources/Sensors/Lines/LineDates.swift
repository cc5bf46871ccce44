import Motion

/// Dates the samples of lines on the boot time: by the time that they carry, else by their arrival.
struct LineDates: Sendable {
  /// No batch is gathered for longer, in seconds.
  private static let longestBatch = 60.0

  private var clock = LineClock()
  private var gaps = StampGaps()
  private var arrivals: ArrivalRate

  /// How many samples got lost on the way, as far as the times of the others show it.
  var missing: Int { gaps.missing }

  /// For lines whose sender is thought to send at a rate, in samples/s, unless they show otherwise.
  init(rate: Double) { arrivals = ArrivalRate(rate: rate) }

  /// Says that the next lines are from another sender, or from one that has started anew.
  mutating func restart() {
    clock.restart()
    gaps.restart()
    arrivals.restart()
  }

  /// Dates the samples that came by now, the boot time in seconds; those in a hurry came faster than they were taken.
  ///
  /// What carries its time is put in order first, as datagrams overtake one another. Of a batch that was gathered for
  /// seconds it is the last sample that was taken now (`endingNow`), else the first.
  mutating func date(
    _ samples: inout [AccelerometerSample], isStamped: Bool, inHurry: Bool, now: Double, endingNow: Bool = false
  ) {
    if isStamped {
      Self.order(&samples)
      let end = samples.last?.time ?? 0
      for index in samples.indices {
        let age = endingNow ? min(max(end - samples[index].time, 0), Self.longestBatch) : 0
        gaps.take(samples[index].time)
        samples[index].time = clock.map(samples[index].time, now: now - age)
      }
      if let first = samples.first?.time, let newest = samples.last?.time {
        let spacing = samples.count > 1 ? (newest - first) / Double(samples.count - 1) : .infinity
        clock.steer(newest: newest, now: now, spacing: spacing)
      }
    } else {
      arrivals.date(&samples, inHurry: inHurry, now: now)
    }
  }

  /// Puts samples in order that are up to a second late; more is a clock that was set back, and stays.
  static func order(_ samples: inout [AccelerometerSample]) {
    for index in samples.indices.dropFirst() {
      let sample = samples[index]
      var place = index
      while place > 0, samples[place - 1].time > sample.time, samples[place - 1].time - sample.time <= 1 {
        samples[place] = samples[place - 1]
        place -= 1
      }
      if place != index { samples[place] = sample }
    }
  }
}

/// Dates samples that carry no time by their arrival, evenly at the rate at which they are found to come.
///
/// They arrive in bunches, so the time of a bunch says little: what counts is how many come in the long run.
struct ArrivalRate: Sendable {
  /// A bunch that arrives so much later than expected, in seconds, comes after a pause; one so much too early was not
  /// taken as it comes.
  private static let pause = 1.0
  /// How much of a bunch's lateness its samples make up for, and how much of it changes the interval: a loop that
  /// settles within some seconds and does not swing.
  private static let gain = (time: 0.1, interval: 0.002)
  /// For the first seconds bunches are dated as they arrive, and counted.
  private static let counting = 2.0
  /// The intervals that are believed, by the nominal one; what comes faster is in a hurry.
  private static let believed = 0.25...8.0

  private let nominal: Double
  private var interval: Double
  /// When the counting began, and how many samples came since; nil when the interval is known.
  private var counted: (since: Double, samples: Int)?
  private var last: Double?

  /// Takes the rate to be so many samples/s at first.
  init(rate: Double) {
    nominal = 1 / rate
    interval = nominal
  }

  /// Forgets the rate; the time still goes forward only.
  mutating func restart() {
    interval = nominal
    if let last { counted = (last, 0) }
  }

  /// Dates the samples of a bunch that came by now, the boot time in seconds.
  ///
  /// One in a hurry, from a pipe that was filled before, is taken at the rate that was so far.
  mutating func date(_ samples: inout [AccelerometerSample], inHurry: Bool, now: Double) {
    guard !samples.isEmpty else { return }
    let count = Double(samples.count)
    var spacing = interval
    if let last, now - last - count * interval <= Self.pause {
      if !inHurry { spacing = self.spacing(count: samples.count, since: last, now: now) }
    } else {
      let begin = now - count * nominal
      last = last.map { max($0 + Self.pause, begin) } ?? begin
      (spacing, interval, counted) = (nominal, nominal, (now, 0))
    }
    var time = last ?? now
    for index in samples.indices {
      time += spacing
      samples[index].time = time
    }
    last = time
  }

  /// The interval of a bunch, from which the rate is learnt.
  private mutating func spacing(count: Int, since last: Double, now: Double) -> Double {
    guard let begun = counted else {
      let late = now - last - Double(count) * interval
      guard late > -Self.pause else { return interval }
      interval = believable(interval + late * Self.gain.interval / Double(count)) ?? interval
      return max(interval + late * Self.gain.time / Double(count), interval / 2)
    }
    let passed = now - begun.since
    let all = begun.samples + count
    counted = (begun.since, all)
    if passed >= Self.counting {
      interval = believable(passed / Double(all)) ?? nominal
      counted = nil
    }
    return believable((now - last) / Double(count)) ?? interval
  }

  private func believable(_ interval: Double) -> Double? {
    Self.believed.contains(interval / nominal) ? interval : nil
  }
}
