import Testing

@Test func `the Wire suite runs`() {}
