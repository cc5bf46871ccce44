import Testing

@Test func `the MQTT suite runs`() {}
