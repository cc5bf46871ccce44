import Testing

@testable import steps2mqtt

@Suite struct ConfigurationFileTests {
  static let path = Repository.root + "/Config/steps2mqtt.yaml"

  @Test func `Config/steps2mqtt.yaml is what the schema says`() throws {
    if Golden.isRecorded { try Golden.write(Schema.document, to: Self.path) }
    #expect(try Golden.read(Self.path) == Schema.document, "re-record with RECORD_GOLDEN=1")
  }

  @Test func `Config/steps2mqtt.yaml holds the defaults, and every setting`() throws {
    var reader = SettingsReader()
    reader.take(file: Self.path, try Golden.bytes(of: Self.path))
    #expect(reader.faults == [])
    #expect(reader.settings == Settings())
    #expect(Set(reader.origins.keys) == Set(Schema.settings.map(\.key)))
  }

  @Test(arguments: Golden.names(in: Repository.root + "/Config/examples", ending: ".yaml"))
  func `an example has no faults`(name: String) throws {
    var reader = SettingsReader()
    reader.take(file: name, try Golden.bytes(of: Repository.root + "/Config/examples/\(name).yaml"))
    reader.check()
    #expect(reader.faults == [])
    #expect(reader.settings != Settings())
  }

  @Test func `every key and every variable is there once`() {
    #expect(Set(Schema.settings.map(\.key)).count == Schema.settings.count)
    #expect(Set(Schema.settings.map(\.variable)).count == Schema.settings.count)
    #expect(Schema.groups.isDisjoint(with: Schema.settings.map(\.key)))
    #expect(Set(Schema.hints.keys).isDisjoint(with: Schema.settings.map(\.key)))
  }

  @Test(arguments: Schema.settings.map(\.key))
  func `a default is taken back from its own text`(key: String) throws {
    let setting = try #require(Schema[key])
    var reader = SettingsReader()
    reader.take(options: ["\(key)=\(setting.text(Settings()).trimmingQuotes)"])
    #expect(reader.faults == [])
    #expect(reader.settings == Settings())
  }
}

extension String {
  /// What the shell would make of a quoted word.
  fileprivate var trimmingQuotes: String {
    count >= 2 && hasPrefix("\"") && hasSuffix("\"") ? String(dropFirst().dropLast()) : self
  }
}
