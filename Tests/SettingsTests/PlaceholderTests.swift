import Testing

@Test func `the Settings suite runs`() {}
