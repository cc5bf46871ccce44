import Wire

/// Feeds libFuzzer's bytes to the parser of commands: whatever comes, it decodes, ignores or refuses it.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let payload = Array(UnsafeBufferPointer(start: start, count: count))
  do throws(CommandRefusal) {
    guard let command = try Command.decode(payload) else {
      precondition(payload.allSatisfy { $0 <= 0x20 }, "only what is empty is ignored")
      return 0
    }
    precondition(payload.count <= Command.maximumSize)
    precondition((command.id?.utf8.count ?? 0) <= 64)
  } catch {
    // A refusal is answered with the id that it names.
    precondition((error.id?.utf8.count ?? 0) <= 64 && !error.reason.isEmpty)
  }
  return 0
}
