import Motion
import Sensors

/// What the engine makes of a recording.
struct Analysis {
  /// A stretch of one activity, in seconds of the recording.
  struct Stretch {
    var start: Double
    var end: Double
    var activity: MotionActivity
  }

  let path: String
  private(set) var samples = 0
  private(set) var first = 0.0
  private(set) var last = 0.0
  private(set) var steps: [Step] = []
  private(set) var events: [PedometerEvent] = []
  private(set) var activities: [Stretch] = []
  private(set) var malformed = MalformedLines()

  /// The recording's length, in s.
  var duration: Double { last - first }
  /// The mean rate, in samples/s; 0 where it has no length.
  var rate: Double { duration > 0 ? Double(max(0, samples - 1)) / duration : 0 }
  /// What the steps add up to.
  private(set) var data = PedometerData(start: 0, end: 0)
  /// The distance on foot, in m.
  var distance: Double { data.distance ?? 0 }
  /// The time on foot, in s.
  var activeSeconds: Double { data.activeDuration }

  /// Runs a recording through the engine as fast as the machine allows.
  ///
  /// `progress` is told after each block which fraction of the file was read, from 0 to 1; `look` sees each sample.
  init(
    of path: String, wearer: Pedometer.Configuration, progress: (Double) -> Void = { _ in },
    look: (AccelerometerSample) -> Void = { _ in }
  ) throws(SensorError) {
    self.path = path
    var reader = try RecordingReader(path: path)
    var pedometer = Pedometer(wearer)
    var block: [AccelerometerSample] = []
    var found: [MotionEvent] = []
    while try reader.read(into: &block) {
      var pressures = reader.pressures[...]
      for (index, sample) in block.enumerated() {
        look(sample)
        pedometer.take(sample) { found.append($0) }
        while let pressure = pressures.first, pressure.index == index {
          pressures.removeFirst()
          data.beginFloors()
          pedometer.take(PressureSample(time: sample.time, pressure: pressure.pascals)) { found.append($0) }
        }
      }
      if samples == 0, let sample = block.first { (first, last) = (sample.time, sample.time) }
      last = block.reduce(last) { max($0, $1.time) }
      samples += block.count
      if reader.size > 0 { progress(Double(reader.bytesRead) / Double(reader.size)) }
    }
    pedometer.finish { found.append($0) }
    malformed = reader.malformed
    for event in found { note(event) }
    close(at: last)
  }

  private mutating func note(_ event: MotionEvent) {
    switch event {
    case .step(let step):
      steps.append(step)
      data.add(step)
    case .pedometer(let event): events.append(event)
    case .floor(let floor): data.add(floor)
    case .activity(let activity):
      close(at: activity.start)
      let start = max(activity.start, activities.last?.end ?? first)
      activities.append(Stretch(start: start, end: max(start, last), activity: activity))
    }
  }

  /// Ends the stretch that is open, never before its start.
  private mutating func close(at time: Double) {
    guard let open = activities.indices.last else { return }
    activities[open].end = max(activities[open].start, time)
  }
}
