import Testing

@Test func `the EndToEnd suite runs`() {}
