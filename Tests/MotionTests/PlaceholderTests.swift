import Testing

@Test func `the Motion suite runs`() {}
