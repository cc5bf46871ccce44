import Testing

@testable import Agent

@Suite struct TokenBucketTests {
  @Test func `says when there will be enough`() {
    var bucket = TokenBucket(rate: 2, burst: 4)
    let taken = [bucket.take(4, at: 1000), bucket.take(at: 1000)]
    #expect(taken == [true, false])
    #expect(bucket.ready(1, after: 1000) == 1500)
    let later = bucket.take(at: 1500)
    #expect(later)
  }

  @Test(arguments: [1e-9, 1e-300, Double.leastNonzeroMagnitude])
  func `waits some thirty years where its rate is hardly above 0`(rate: Double) {
    var bucket = TokenBucket(rate: rate, burst: 50)
    let isTaken = bucket.take(50, at: 1000)
    #expect(isTaken)
    #expect(bucket.ready(50, after: 1000) == 1_000_000_001_000)
  }
}
