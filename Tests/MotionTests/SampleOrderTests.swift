import Testing

@testable import Motion

struct SampleOrderTests {
  private func put(_ times: [Double], _ order: inout SampleOrder) -> [SampleOrder.Item] {
    var items: [SampleOrder.Item] = []
    for (i, time) in times.enumerated() {
      order.take(AccelerometerSample(time: time, x: Float(i % 50), y: 0, z: 1))
      while let item = order.next() { items.append(item) }
    }
    order.finish()
    while let item = order.next() { items.append(item) }
    return items
  }

  private let even = (0..<100).map { Double($0) * 0.04 }

  @Test func `hands an even signal on as it is`() {
    var order = SampleOrder()
    let items = put(even, &order)
    #expect(items.map(\.time) == even)
    #expect(items.map(\.begins) == [true] + Array(repeating: false, count: 99))
    #expect(order.quality.samples == 100)
  }

  @Test func `spreads a bunch of seven samples over the hole before it`() {
    var order = SampleOrder()
    var late = even
    for i in 50..<57 { late[i] = even[56] - 0.0013 * Double(56 - i) }
    let items = put(late, &order)
    for (item, time) in zip(items, even) { #expect(abs(item.time - time) < 0.001) }
    #expect(order.quality.respaced == 7)
    #expect(order.quality.repeated == 0)
  }

  @Test func `spreads three samples on one stamp`() {
    var order = SampleOrder()
    let stamps = (0..<99).map { Double($0 / 3) * 0.12 }
    let items = put(stamps, &order)
    for (one, next) in zip(items[30...], items[31...]) { #expect(abs(next.time - one.time - 0.04) < 0.001) }
  }

  @Test func `leaves a hole of some missing samples a hole`() {
    var order = SampleOrder()
    let holed = even.filter { !(2.0..<2.2).contains($0) }
    #expect(put(holed, &order).map(\.time) == holed)
    #expect(order.quality.respaced == 0)
    #expect(order.quality.gaps == 0)  // the beginning
  }

  @Test func `drops what repeats or goes back, and what is no number`() {
    var order = SampleOrder()
    let items = put([0, 0.04, 0.04, 0.08, 0.06, 0.12, .nan, 0.16], &order)
    #expect(items.map(\.time) == [0, 0.04, 0.08, 0.12, 0.16])
    #expect(order.quality.repeated == 1)
    #expect(order.quality.reversed == 1)
    #expect(order.quality.invalid == 1)
  }

  @Test func `begins anew after a hole of more than half a second, and when the clock was set back`() {
    var order = SampleOrder()
    let later = even.map { $0 + 100 }
    let items = put(even + later + even, &order)
    #expect(items.filter(\.begins).map(\.time) == [0, 100, even[8]])
    #expect(order.quality.gaps == 2)
    #expect(order.quality.reversed == 8)
  }

  @Test(arguments: [
    ("an even one", 25.0, false, Float(1), SignalQuality.Degradation()),
    ("a slow one", 8, false, 1, .slow),
    ("one that repeats each stamp", 50, true, 1, .disordered),
    ("one beyond its range", 50, false, 2, .saturated),
  ])
  func `says what is wrong with a signal`(
    name: String, rate: Double, repeats: Bool, value: Float, expected: SignalQuality.Degradation
  ) {
    var order = SampleOrder()
    for i in 0..<Int(rate * 15) {
      let time = Double(i) / rate
      for _ in 0..<(repeats ? 2 : 1) {
        order.take(AccelerometerSample(time: time, x: value, y: Float(i % 7) * 0.01, z: 0))
      }
    }
    #expect(order.quality.degradation == expected, "\(name)")
  }
}
