import Testing

@Test func `the Sensors suite runs`() {}
