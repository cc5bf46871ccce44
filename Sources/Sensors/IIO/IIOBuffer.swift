import CIIO

/// A running buffer; it stops when nothing holds it any more.
///
/// Used by one thread, but for `cancel`, which libiio allows from any.
@safe final class IIOBuffer: @unchecked Sendable {
  private let context: IIOContext
  private let pointer: OpaquePointer
  private var functions: ciio { context.library.functions }

  init(_ context: IIOContext, _ pointer: OpaquePointer) {
    self.context = context
    unsafe self.pointer = pointer
  }

  deinit { unsafe functions.buffer_destroy(pointer) }

  /// Waits for the next samples and hands over their bytes and the bytes of one scan.
  func refill<Result>(
    _ body: (UnsafeRawBufferPointer, _ step: Int) -> Result
  ) throws(IIOFailure) -> Result {
    let count = unsafe functions.buffer_refill(pointer)
    guard count >= 0 else { throw IIOFailure(count, "read the buffer") }
    let start = unsafe functions.buffer_start(pointer)
    let end = unsafe functions.buffer_end(pointer)
    guard let start = unsafe start, let end = unsafe end else { return unsafe body(.init(start: nil, count: 0), 1) }
    return unsafe body(UnsafeRawBufferPointer(start: start, count: end - start), functions.buffer_step(pointer))
  }

  /// Where a channel lies within a scan; valid after the first refill.
  func offset(of channel: IIOChannel) -> Int {
    guard let start = unsafe functions.buffer_start(pointer),
      let first = unsafe functions.buffer_first(pointer, channel.pointer)
    else { return 0 }
    return unsafe first - start
  }

  /// Ends a refill that waits, from another thread; the buffer is of no use afterwards.
  func cancel() { unsafe functions.buffer_cancel(pointer) }
}
