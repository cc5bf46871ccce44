import Testing

@Test func `the Agent suite runs`() {}
