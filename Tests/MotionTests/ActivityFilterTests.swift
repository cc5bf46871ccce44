import Testing

@testable import Motion

struct ActivityFilterTests {
  private func judgement(_ kind: Network.Class, _ probability: Float = 0.9) -> Network.Judgement {
    var judgement = Network.Judgement()
    for other in Network.Class.allCases {
      judgement.probabilities[other.rawValue] = other == kind ? probability : (1 - probability) / 5
    }
    return judgement
  }

  /// What is said, look by look.
  private func said(_ filter: inout ActivityFilter, _ kind: Network.Class?, looks: Int, from: Double = 0) -> [(
    Double, MotionActivity.Kind
  )] {
    var said: [(Double, MotionActivity.Kind)] = []
    for look in 0..<looks {
      let time = from + Double(look) * 0.48
      filter.take(kind.map { judgement($0) })
      if let activity = filter.update(at: time, onFoot: nil) {
        said.append((time, activity.kind))
      }
    }
    return said
  }

  @Test func `a vehicle takes some time to be believed, and once only`() {
    var filter = ActivityFilter()
    _ = said(&filter, nil, looks: 40)
    let heard = said(&filter, .automotive, looks: 100)
    let believed = heard.drop { $0.1 == .stationary }  // less sure of rest first
    #expect(!believed.isEmpty)
    #expect(believed.allSatisfy { $0.1 == .automotive })  // once, and again as it grows surer
    #expect((believed.first?.0 ?? 99) > 2)
    #expect((believed.first?.0 ?? 99) < 20)
  }

  @Test func `one odd look changes nothing`() {
    var filter = ActivityFilter()
    _ = said(&filter, nil, looks: 40)
    let heard = said(&filter, .cycling, looks: 1) + said(&filter, nil, looks: 40)
    #expect(heard.allSatisfy { $0.1 == .stationary })
  }

  @Test func `a waiting vehicle is still a vehicle, and stationary too`() {
    var filter = ActivityFilter()
    _ = said(&filter, .automotive, looks: 200)
    var flags: [MotionActivity.Flags] = []
    for look in 0..<20 {
      filter.take(nil)
      if let activity = filter.update(at: 100 + Double(look), onFoot: nil) { flags.append(activity.flags) }
    }
    #expect(flags == [[.automotive, .stationary]])
  }

  @Test func `on foot at once when steps say so, since the first of them`() {
    var filter = ActivityFilter()
    _ = said(&filter, nil, looks: 40)
    filter.take(judgement(.walking))
    let activity = filter.update(at: 30, onFoot: (since: 27, certainty: 0.5))
    #expect(activity?.kind == .walking)
    #expect(activity?.start == 27)
  }
}
