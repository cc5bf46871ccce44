import Testing

@testable import steps2mqtt

@Suite struct EnvelopeTests {
  @Test func `keeps each sample of a short recording`() {
    var envelope = Envelope()
    for index in 0..<100 { envelope.take(Float(index), at: 50 + Double(index) * 0.04) }
    let spans = envelope.spans(from: 0, to: 10, column: 0)
    #expect(spans.map(\.low) == (0..<100).map(Float.init))
    #expect(spans.map(\.high) == spans.map(\.low))
    #expect(zip(spans, 0...).allSatisfy { abs($0.time - Double($1) * 0.04) < 0.011 })
  }

  @Test func `columns hold the lowest and the highest of what falls into them`() {
    var envelope = Envelope()
    for (index, value) in [1, 5, -2, 3, 4, 9].enumerated() { envelope.take(Float(value), at: Double(index) * 0.5) }
    let spans = envelope.spans(from: 0, to: 3, column: 1)
    #expect(spans.map(\.low) == [1, -2, 4])
    #expect(spans.map(\.high) == [5, 3, 9])
    #expect(envelope.spans(from: 1, to: 2, column: 1).map(\.high) == [3])
  }

  @Test func `a spike of a long recording survives in bounded memory`() {
    var envelope = Envelope()
    let hours = 100.0
    for second in 0..<Int(hours * 3600) { envelope.take(second == 200_000 ? 7 : 1, at: Double(second)) }
    #expect(hours * 3600 / envelope.width <= Double(Envelope.capacity))
    let spans = envelope.spans(from: 0, to: hours * 3600, column: 3600)
    #expect(spans.count == 100)
    #expect(spans.filter { $0.high == 7 }.map { Int($0.time / 3600) } == [55])
    #expect(envelope.range == 1...1)
  }

  @Test func `values that are none, and times before the first or far after it, are left out`() {
    var envelope = Envelope()
    let taken: [(Float, Double)] = [(1, 10), (.nan, 11), (2, 9), (3, .nan), (4, 1e300), (5, .infinity), (6, 12)]
    for (value, time) in taken { envelope.take(value, at: time) }
    #expect(envelope.spans(from: 0, to: 1e9, column: 0).map(\.low) == [1, 6])
    #expect(envelope.range == 1...6)
    #expect(Envelope().range == nil)
    #expect(Envelope().spans(from: 0, to: 10, column: 1) == [])
  }
}
