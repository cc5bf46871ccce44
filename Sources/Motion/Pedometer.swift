/// The engine: takes samples of an accelerometer, gives steps, pauses and activities.
///
/// A value of fixed size that never allocates; the same samples always give the same events.
public struct Pedometer: Sendable {
  /// How readily movements are taken for steps.
  ///
  /// The figures behind it are in Documentation/motion.md.
  public enum Sensitivity: String, Sendable, CaseIterable {
    /// Fewer false steps, at the price of some true ones: rough rides, work with the hands.
    case low
    /// What suits most people.
    case normal
    /// Slow and weak steps are counted too, down to 40 a minute, and slow exercises with them.
    case high
  }

  /// What the engine should know about its wearer.
  public struct Configuration: Sendable, Equatable {
    /// The heights that wearers have, in m.
    public static var heights: ClosedRange<Double> { 0.5...2.5 }
    /// The mean step lengths that wearers have, in m: shorter and longer ones are measured wrongly.
    public static var stepLengths: ClosedRange<Double> { 0.2...2 }

    /// The wearer's height, in m (see ``heights``); step length is estimated from it.
    public var height: Float
    /// The wearer's measured mean step length, in m; nil to estimate it from height and cadence.
    public var stepLength: Float?
    /// How readily movements are taken for steps.
    public var sensitivity: Sensitivity

    /// Makes a configuration for a wearer of a height in m, and a step length in m where it is known.
    public init(height: Float = 1.70, stepLength: Float? = nil, sensitivity: Sensitivity = .normal) {
      self.height = height
      self.stepLength = stepLength
      self.sensitivity = sensitivity
    }
  }

  /// What the engine knows about its wearer; may change between samples.
  public var configuration: Configuration

  /// Makes an engine that has seen nothing.
  public init(_ configuration: Configuration = Configuration()) {
    self.configuration = configuration
    engine = Engine()
  }

  /// Makes an engine that judges by other weights than the trained ones: to validate a training.
  package init(_ configuration: Configuration = Configuration(), weights: [Float]?, pauseWeights: [Float]?) {
    self.configuration = configuration
    engine = Engine(
      network: weights.map { Network(weights: $0) } ?? Network(), pause: PauseFinder(weights: pauseWeights))
  }

  /// Makes an engine that judges nothing: what it hears does not depend on an earlier training.
  package static func untrained() -> Pedometer {
    Pedometer(weights: [Float](repeating: 0, count: Network.weightCount), pauseWeights: nil)
  }

  /// The number of times that the network was asked so far, and what it is asked now: to train it.
  package var looks: Int32 { engine.looks }
  package mutating func features() -> [Float] {
    let features = engine.features()
    return (0..<Features.count).map { features.values[$0] }
  }

  /// The number of looks for a pause so far, and what is looked at now, to learn it; nil where there is no walk to end.
  package var pauseLooks: Int32 { engine.pauseLooks }
  package mutating func pauseFeatures() -> [Float]? { engine.pauseFeatures()?.values }

  private var order = SampleOrder()
  private var resampler = Resampler()
  private var engine: Engine
  private var floors = FloorCounter()

  /// What was wrong with the samples so far, and is wrong now.
  public var quality: SignalQuality { order.quality }

  /// Takes the next sample and emits what it reveals.
  ///
  /// Times may repeat, go back or jump: such samples are put right or dropped, and counted in `quality`.
  public mutating func take(_ sample: AccelerometerSample, _ emit: (MotionEvent) -> Void) {
    guard order.takeUsual(sample) else {
      sort(sample, emit)
      return
    }
    let acceleration = SIMD4(sample.x, sample.y, sample.z, 0)
    guard engine.rests(at: acceleration) else {
      use(SampleOrder.Item(time: sample.time, acceleration: acceleration), emit)
      return
    }
    let (outputs, time) = resampler.pass(time: sample.time, acceleration)
    engine.rest(for: outputs, until: time, emit)
  }

  /// Takes a sample that may be out of order.
  @inline(never)
  private mutating func sort(_ sample: AccelerometerSample, _ emit: (MotionEvent) -> Void) {
    order.take(sample)
    drain(emit)
  }

  /// Takes the next reading of a barometer, about one a second, and emits the floors that it reveals.
  ///
  /// Without readings there are no floors. They may come a few seconds before or after the samples of their time.
  public mutating func take(_ pressure: PressureSample, _ emit: (MotionEvent) -> Void) {
    floors.take(pressure) { emit(.floor($0)) }
  }

  /// Ends the signal: emits what was held back, as if the wearer had stopped at the last sample.
  public mutating func finish(_ emit: (MotionEvent) -> Void) {
    order.finish()
    drain(emit)
    Self.finish(&engine, &floors, configuration, emit)
    floors.finish { emit(.floor($0)) }
  }

  private mutating func drain(_ emit: (MotionEvent) -> Void) {
    while let item = order.next() {
      if item.begins { Self.interrupt(&engine, &floors, configuration, emit) }
      use(item, emit)
    }
  }

  @inline(never)
  private mutating func use(_ item: SampleOrder.Item, _ emit: (MotionEvent) -> Void) {
    resampler.take(item)
    while let output = resampler.next() {
      Self.take(output, &engine, &floors, configuration, emit)
    }
  }

  // The floors hear of each step before the caller does; one value's own method cannot change two of its properties.

  private static func take(
    _ sample: Resampler.Output, _ engine: inout Engine, _ floors: inout FloorCounter, _ configuration: Configuration,
    _ emit: (MotionEvent) -> Void
  ) {
    engine.take(sample, configuration) { event in
      floors.note(event)
      emit(event)
    }
  }

  private static func interrupt(
    _ engine: inout Engine, _ floors: inout FloorCounter, _ configuration: Configuration,
    _ emit: (MotionEvent) -> Void
  ) {
    engine.interrupt(configuration) { event in
      floors.note(event)
      emit(event)
    }
  }

  private static func finish(
    _ engine: inout Engine, _ floors: inout FloorCounter, _ configuration: Configuration,
    _ emit: (MotionEvent) -> Void
  ) {
    engine.finish(configuration) { event in
      floors.note(event)
      emit(event)
    }
  }
}
