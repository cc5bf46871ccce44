import Testing

@Test func `the Host suite runs`() {}
