/// Feeds libFuzzer's bytes to the reader of configurations: whatever comes, it gives settings or faults that can be shown.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let first = read(Array(UnsafeBufferPointer(start: start, count: count)))
  for fault in first.faults { precondition(!fault.description.contains("\n"), "a fault is one line") }
  guard first.faults.isEmpty else { return 0 }
  // What was accepted can be written, and means the same when it is read again.
  for (setting, usual) in zip(Schema.settings, defaults) where setting.text(first.settings) != usual {
    let path = setting.key.split(separator: ".")
    let braces = String(repeating: "}", count: path.count - 1)
    let second = read(Array((path.joined(separator: ": {") + ": \(setting.text(first.settings))\(braces)\n").utf8))
    let text = setting.text(second.settings)
    precondition(text == setting.text(first.settings), "\(setting.key) became \(text)")
  }
  return 0
}

/// The defaults as they are written: made once, since a run takes less time than they do.
private let defaults = Schema.settings.map { $0.text(Settings()) }

private func read(_ bytes: [UInt8]) -> SettingsReader {
  var reader = SettingsReader()
  reader.take(file: "fuzz.yaml", bytes)
  reader.check()
  return reader
}
