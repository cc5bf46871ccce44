import Testing

@Test func `the YAML suite runs`() {}
