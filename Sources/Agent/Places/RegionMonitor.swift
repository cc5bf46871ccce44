internal import Wire

/// Tells from fixes on which side of each region's border the wearer is, and when they cross it.
///
/// A fix with the accuracy `a` at the distance `d` from the middle of a region of the radius `r` lies surely inside if
/// d + a ≤ r, surely outside if d - a ≥ r + margin, and in between says nothing. A crossing counts once fixes have said
/// so for the dwell time: a single fix that is far off, as streets with high houses give them, crosses nothing. The time
/// runs from the fix's arrival: a phone that was without a network sends minutes of fixes at once, and each of them has
/// to hold against those that come with it.
struct RegionMonitor: Sendable, Equatable {
  /// A side of the border.
  enum Side: Sendable, Equatable {
    case inside
    case outside
  }

  /// A crossing that counts.
  struct Crossing: Sendable, Equatable {
    var region: Region
    /// The side on which the wearer is now.
    var side: Side
    /// Whether nobody knew the side before: not crossed, but found there.
    var isDetermined: Bool
    /// When it was first seen, in ms on the monotonic clock.
    var moment: Int64
    /// Where it was first seen; nil where only the crossing was told.
    var position: Position?
  }

  /// A crossing that has yet to prove itself.
  private struct Candidate: Sendable, Equatable {
    var side: Side
    var since: Int64
    /// When the first fix that said so arrived.
    var heard: Int64
    var position: Position
    /// The last fix that said the same.
    var latest: Int64
  }

  private struct Watch: Sendable, Equatable {
    var region: Region
    var side: Side?
    var candidate: Candidate?
  }

  var rules: Machine.Configuration.Places
  private var watches: [Watch] = []
  /// When the latest fix was true, in ms on the monotonic clock; an older one says nothing new.
  private(set) var latest: Int64?

  init(_ regions: [Region], rules: Machine.Configuration.Places) {
    self.rules = rules
    watch(regions)
  }

  /// The regions that are watched.
  var regions: [Region] { watches.map(\.region) }

  /// The regions in which the wearer is; nil while nobody knows that of any.
  var surrounding: [Region]? {
    guard watches.contains(where: { $0.side != nil }) else { return nil }
    return watches.filter { $0.side == .inside }.map(\.region)
  }

  /// The side of a region, by its id; nil while nobody knows it.
  func side(of id: String) -> Side? { watches.first { $0.region.id == id }?.side }

  /// Watches other regions; of one whose id stays, the side is known on.
  mutating func watch(_ regions: [Region]) {
    let sides = sides
    watches = regions.map { Watch(region: $0, side: sides[$0.id]) }
  }

  /// The sides that are known, by the regions' ids.
  var sides: [String: Side] {
    Dictionary(
      watches.compactMap { watch in watch.side.map { (watch.region.id, $0) } }, uniquingKeysWith: { first, _ in first })
  }

  /// Takes over the sides that are known from before, where none was found since.
  mutating func recall(_ sides: [String: Side]) {
    for index in watches.indices where watches[index].side == nil {
      watches[index].side = sides[watches[index].region.id]
    }
  }

  /// When a crossing will have proved itself, in ms on the monotonic clock; nil if none has to.
  var deadline: Int64? { watches.compactMap { $0.candidate.map { $0.heard + rules.dwell } }.min() }

  /// Why a fix counts for nothing.
  enum Refusal: Error, Sendable, Equatable {
    case stale
    case coarse
    case superseded
  }

  /// Takes a fix; the crossings that it proves follow from `settle(at:)`.
  mutating func take(_ fix: Fix, at now: Int64) throws(Refusal) {
    guard now - fix.moment <= rules.oldest else { throw .stale }
    guard let accuracy = fix.position.accuracy, accuracy <= rules.coarsest else { throw .coarse }
    if let latest, fix.moment < latest { throw .superseded }
    latest = fix.moment
    for index in watches.indices {
      guard let side = verdict(fix.position.coordinate, accuracy, watches[index].region),
        side != watches[index].side
      else {
        watches[index].candidate = nil
        continue
      }
      if watches[index].candidate?.side != side {
        watches[index].candidate = Candidate(
          side: side, since: fix.moment, heard: now, position: fix.position, latest: fix.moment)
      }
      watches[index].candidate?.latest = fix.moment
    }
  }

  private func verdict(_ place: Coordinate, _ accuracy: Double, _ region: Region) -> Side? {
    let distance = place.distance(to: region.center)
    if distance + accuracy <= region.radius { return .inside }
    return distance - accuracy >= region.radius + rules.margin ? .outside : nil
  }

  /// Takes the word of somebody who knows, such as the wearer's phone, that a border was crossed at a moment.
  mutating func cross(_ id: String, to side: Side, moment: Int64, position: Position?) -> Crossing? {
    if let latest, moment < latest { return nil }
    latest = moment
    guard let index = watches.firstIndex(where: { $0.region.id == id }) else { return nil }
    watches[index].candidate = nil
    return cross(index, to: side, moment: moment, position: position)
  }

  /// Gives the crossings that have proved themselves: those into regions first, so that who goes from one region into
  /// the next is not taken to have left for nowhere.
  mutating func settle(at now: Int64) -> [Crossing] {
    var crossings: [Crossing] = []
    for index in watches.indices {
      guard let candidate = watches[index].candidate, now - candidate.heard >= rules.dwell else { continue }
      watches[index].candidate = nil
      // The device slept meanwhile: nobody knows where it woke.
      guard now - candidate.latest <= max(rules.oldest, rules.dwell) else { continue }
      if let crossing = cross(index, to: candidate.side, moment: candidate.since, position: candidate.position) {
        crossings.append(crossing)
      }
    }
    return crossings.filter { $0.side == .inside } + crossings.filter { $0.side == .outside }
  }

  private mutating func cross(_ index: Int, to side: Side, moment: Int64, position: Position?) -> Crossing? {
    let former = watches[index].side
    guard former != side else { return nil }
    watches[index].side = side
    return Crossing(
      region: watches[index].region, side: side, isDetermined: former == nil, moment: moment, position: position)
  }
}
