extension Journal {
  /// Where the journal lies and how much it may keep.
  public struct Configuration: Sendable, Equatable {
    /// The directory of the file; made if it is missing, its parent not.
    public var directory: String
    /// The most that the database may take, in bytes; its write-ahead log adds up to 1 MiB.
    public var maximumBytes: Int64
    /// How long acknowledged records are kept for history, in days.
    public var historyDays: Int
    /// How long unsent records are kept whole, in days; then by the hour, and after twice as long no more.
    public var unsentDays: Int
    /// The free space of the file system that the journal leaves to others, in bytes.
    public var freeDiskFloor: Int64

    /// Makes a configuration: 64 MiB, 7 days of history, 30 days unsent and a floor of 32 MiB unless told otherwise.
    public init(
      directory: String, maximumBytes: Int64 = 64 << 20, historyDays: Int = 7, unsentDays: Int = 30,
      freeDiskFloor: Int64 = 32 << 20
    ) {
      self.directory = directory
      self.maximumBytes = maximumBytes
      self.historyDays = historyDays
      self.unsentDays = unsentDays
      self.freeDiskFloor = freeDiskFloor
    }
  }
}
