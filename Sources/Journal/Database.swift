import CSQLite
import Glibc

/// A connection to one SQLite file, with its prepared statements; closes itself.
@safe
struct Database: ~Copyable {
  /// A value to bind to a statement's parameter.
  enum Value {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    init(_ integer: Int?) { self = integer.map { .integer(Int64($0)) } ?? .null }
    init(_ integer: Int64?) { self = integer.map { .integer($0) } ?? .null }
  }

  /// A statement that is run before the file is closed.
  var lastWords: String?

  private let path: String
  private var handle: OpaquePointer?
  private var statements: [String: OpaquePointer] = unsafe [:]

  /// Opens or makes the file of a path.
  init(path: String) throws(JournalError) {
    self.path = path
    var opened: OpaquePointer?
    let result = unsafe sqlite3_open_v2(
      path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil)
    unsafe handle = opened
    guard result == SQLITE_OK else { throw failure(result) }
    _ = unsafe sqlite3_extended_result_codes(opened, 1)
  }

  deinit {
    end()
  }

  /// Closes the file; every later use throws `closed`.
  mutating func close() {
    end()
    unsafe statements = [:]
    unsafe handle = nil
  }

  /// Closes what is open.
  ///
  /// SQLite then writes its log back and removes it, or leaves it to the next opening if it cannot.
  private borrowing func end() {
    if let lastWords { _ = unsafe sqlite3_exec(handle, lastWords, nil, nil, nil) }
    unsafe statements.values.forEach { _ = unsafe sqlite3_finalize($0) }
    _ = unsafe sqlite3_close_v2(handle)
  }

  /// Runs statements that take no values; for schema and settings.
  func execute(_ sql: String) throws(JournalError) {
    guard unsafe handle != nil else { throw JournalError(.closed, "journal \(path) is closed") }
    let result = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    guard result == SQLITE_OK else { throw failure(result) }
  }

  /// Gives up an open transaction, if there is one.
  ///
  /// A failure is of no interest: SQLite has then rolled back by itself.
  func rollback() {
    _ = unsafe sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
  }

  /// Runs a statement to its end.
  mutating func run(_ sql: String, _ values: Value...) throws(JournalError) {
    _ = try query(sql, values) { _ in }
  }

  /// The only integer of the only row that a statement gives, or nil.
  mutating func integer(_ sql: String, _ values: Value...) throws(JournalError) -> Int64? {
    try query(sql, values) { $0.optionalInteger(0) }.first.flatMap { $0 }
  }

  /// Runs a statement and reads each row that it gives.
  mutating func query<T>(
    _ sql: String, _ values: [Value] = [], _ read: (borrowing Row) -> T
  ) throws(JournalError) -> [T] {
    let statement = try unsafe prepared(sql)
    defer {
      _ = unsafe sqlite3_reset(statement)
      _ = unsafe sqlite3_clear_bindings(statement)
    }
    for (position, value) in values.enumerated() {
      let result = unsafe Self.bind(value, to: statement, at: Int32(position + 1))
      guard result == SQLITE_OK else { throw failure(result) }
    }
    var rows: [T] = []
    while true {
      let result = unsafe sqlite3_step(statement)
      switch result {
      case SQLITE_ROW: rows.append(read(unsafe Row(statement: statement)))
      case SQLITE_DONE: return rows
      default: throw failure(result)
      }
    }
  }

  private mutating func prepared(_ sql: String) throws(JournalError) -> OpaquePointer {
    if let statement = unsafe statements[sql] { return unsafe statement }
    guard unsafe handle != nil else { throw JournalError(.closed, "journal \(path) is closed") }
    var made: OpaquePointer?
    let result = unsafe sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &made, nil)
    guard result == SQLITE_OK, let statement = unsafe made else { throw failure(result) }
    unsafe statements[sql] = statement
    return unsafe statement
  }

  private static func bind(_ value: Value, to statement: OpaquePointer, at position: Int32) -> Int32 {
    // SQLITE_TRANSIENT is a cast in C, which Swift does not import: SQLite copies the bytes before it returns.
    let copied = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    switch value {
    case .null: return unsafe sqlite3_bind_null(statement, position)
    case .integer(let integer): return unsafe sqlite3_bind_int64(statement, position, integer)
    case .real(let real): return unsafe sqlite3_bind_double(statement, position, real)
    case .text(let text):
      return unsafe sqlite3_bind_text(statement, position, text, Int32(text.utf8.count), copied)
    case .blob(let bytes) where bytes.isEmpty: return unsafe sqlite3_bind_zeroblob(statement, position, 0)
    case .blob(let bytes): return unsafe sqlite3_bind_blob(statement, position, bytes, Int32(bytes.count), copied)
    }
  }

  private func failure(_ result: Int32) -> JournalError {
    let text = unsafe handle == nil ? sqlite3_errstr(result) : sqlite3_errmsg(handle)
    let reason = unsafe text.map { unsafe String(cString: $0) } ?? "error \(result)"
    let systemError = unsafe sqlite3_system_errno(handle)
    return JournalError(sqlite: result, systemError: systemError, reason: reason, path: path)
  }
}

/// The row at which a statement stands; valid only within the closure that it is given to.
@safe
struct Row: ~Copyable {
  private let statement: OpaquePointer

  init(statement: OpaquePointer) {
    unsafe self.statement = unsafe statement
  }

  func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(statement, column) }

  /// An integer that sums and differences cannot overflow with, whatever a failing disk made of it.
  func boundedInteger(_ column: Int32) -> Int64 { min(max(integer(column), -Self.bound), Self.bound) }

  static let bound: Int64 = 1 << 53

  /// A number of steps or floors, bounded for the same reason.
  func count(_ column: Int32) -> Int { Int(Int32(clamping: integer(column))) }

  /// The same of an SQL expression.
  static func count(_ sql: String) -> String { "max(\(Int32.min), min(\(sql), \(Int32.max)))" }

  func optionalInteger(_ column: Int32) -> Int64? {
    unsafe sqlite3_column_type(statement, column) == SQLITE_NULL ? nil : integer(column)
  }

  func real(_ column: Int32) -> Double { unsafe sqlite3_column_double(statement, column) }

  func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }

  func bytes(_ column: Int32) -> [UInt8] {
    guard let start = unsafe sqlite3_column_blob(statement, column) else { return [] }
    return unsafe Array(
      UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
  }
}
