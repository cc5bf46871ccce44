/// How long to wait before the next attempt: exponential with full jitter, so that a fleet does not return at once.
///
/// Full jitter (a uniform draw from zero to a growing ceiling) spreads a fleet's return best for the load it causes
/// (Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015).
public struct Backoff: Sendable {
  /// The limits of the waiting.
  public struct Limits: Sendable, Equatable {
    /// The ceiling of the first draw.
    public var first: Duration
    /// The ceiling that is never exceeded.
    public var longest: Duration
    /// How long a connection must have lasted for the ceiling to begin anew.
    public var stable: Duration
    /// The least wait after a refusal that a quick retry makes worse.
    public var patience: Duration

    /// Makes limits; the defaults are those of the design page: 1 s, 120 s, 60 s, 60 s.
    public init(
      first: Duration = .seconds(1), longest: Duration = .seconds(120), stable: Duration = .seconds(60),
      patience: Duration = .seconds(60)
    ) {
      self.first = first
      self.longest = longest
      self.stable = stable
      self.patience = patience
    }
  }

  private let limits: Limits
  private var ceiling: Duration

  /// Starts with the smallest ceiling.
  public init(_ limits: Limits = Limits()) {
    self.limits = limits
    self.ceiling = min(limits.first, limits.longest)
  }

  /// Draws the next wait.
  ///
  /// - Parameters:
  ///   - lifetime: how long the connection that just ended had lasted; zero if none came about.
  ///   - needsPatience: whether the broker refused us in a way that a quick retry makes worse.
  ///   - generator: the source of randomness.
  /// - Returns: a wait from zero up to the ceiling or, with patience, from its least value up to twice that.
  public mutating func next(
    after lifetime: Duration, needsPatience: Bool, using generator: inout some RandomNumberGenerator
  ) -> Duration {
    if lifetime >= limits.stable { ceiling = min(limits.first, limits.longest) }
    let share = Double(generator.next() >> 11) / Double(1 << 53 as UInt64)
    let wait = needsPatience ? limits.patience * (1 + share) : ceiling * share
    ceiling = min(ceiling * 2, limits.longest)
    return wait
  }
}
