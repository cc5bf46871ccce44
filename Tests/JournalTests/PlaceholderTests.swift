import Testing

@Test func `the Journal suite runs`() {}
