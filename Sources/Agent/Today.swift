internal import Wire

/// Steps by the quarter of an hour in which they were made, so that the wearer's day may begin anywhere.
///
/// All zones of today lie whole quarters of an hour from UTC, so a day of any zone is a whole number of quarters: a
/// journey, daylight saving or a clock put right asks for another sum and moves no count.
struct Today: Codable, Sendable, Equatable {
  /// A quarter of an hour, in ms.
  private static let quarter: Int64 = 900_000
  /// How many quarters with steps are kept: more than a day without rest, and some for a clock that jumps.
  private static let capacity = 128
  /// How exactly steps without a date are kept until they can be dated, in ms.
  private static let minute: Int64 = 60_000
  /// A day, in ms.
  private static let day: Int64 = 86_400_000

  /// Steps of one span of time.
  private struct Span: Codable, Sendable, Equatable {
    var number: Int64
    var steps: Int
  }

  /// By quarters since 1970, in the order in which they came up.
  private var dated: [Span] = []
  /// By minutes of the monotonic clock, while nobody knows the date.
  private var undated: [Span] = []
  /// The boot in which the undated ones were made.
  private var boot: String?
  /// When the wearer's day began, in ms since 1970; nil before the first date.
  private(set) var start: Int64?

  /// Steps of the wearer's day; those without a date are taken to be of the day known last.
  var steps: Int {
    let undated = undated.reduce(0) { $0 + $1.steps }
    guard let start else { return undated }
    return dated.reduce(undated) { sum, span in
      let moment = span.number * Self.quarter
      return moment >= start && moment < start + Self.day ? sum + span.steps : sum
    }
  }

  /// Counts a step made at a moment of the monotonic clock, in ms.
  mutating func count(at moment: Int64, boot: String, now: Instant) {
    if now.synchronized {
      add(1, atWall: now.wall(at: moment))
    } else {
      self.boot = boot
      Self.add(1, to: &undated, number: Self.floor(moment, Self.minute), capacity: Self.capacity * 15)
    }
  }

  /// Counts a record's steps, all of them at its end.
  mutating func count(_ record: Record) {
    if record.synchronized { return add(record.steps, atWall: record.wallEnd) }
    if boot != record.boot { undated = [] }
    boot = record.boot
    Self.add(
      record.steps, to: &undated, number: Self.floor(record.monotonicEnd, Self.minute), capacity: Self.capacity * 15)
  }

  /// Moves on to the wearer's day of now, and dates what could not be dated before; true if the day is another.
  mutating func turn(to now: Instant, boot: String) -> Bool {
    guard now.synchronized else { return false }
    if !undated.isEmpty {
      // What another boot could not date, nobody ever will.
      for span in undated where self.boot == boot {
        add(span.steps, atWall: now.wall(at: span.number * Self.minute))
      }
      undated = []
    }
    guard start != now.dayStart else { return false }
    start = now.dayStart
    return true
  }

  /// Adds what was counted later.
  mutating func add(_ later: Today) {
    start = later.start ?? start
    for span in later.dated { Self.add(span.steps, to: &dated, number: span.number, capacity: Self.capacity) }
    guard !later.undated.isEmpty else { return }
    if boot != later.boot { undated = [] }
    boot = later.boot
    for span in later.undated { Self.add(span.steps, to: &undated, number: span.number, capacity: Self.capacity * 15) }
  }

  private mutating func add(_ steps: Int, atWall moment: Int64) {
    Self.add(steps, to: &dated, number: Self.floor(moment, Self.quarter), capacity: Self.capacity)
  }

  private static func add(_ steps: Int, to spans: inout [Span], number: Int64, capacity: Int) {
    if let index = spans.lastIndex(where: { $0.number == number }) {
      spans[index].steps += steps
    } else {
      spans.append(Span(number: number, steps: steps))
      if spans.count > capacity { spans.removeFirst() }
    }
  }

  private static func floor(_ value: Int64, _ by: Int64) -> Int64 { value >= 0 ? value / by : -((by - 1 - value) / by) }
}
