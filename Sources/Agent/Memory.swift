internal import FoundationEssentials

/// What the machine must know after a restart; written with every commit.
struct Memory: Codable, Sendable, Equatable {
  /// Settings that commands changed; nil where the configuration holds.
  struct Overrides: Codable, Sendable, Equatable {
    /// In ms.
    var updateInterval: Int64?
    /// In m.
    var height: Float?
    /// In m; 0 to estimate it.
    var stepLength: Float?
  }

  /// The form of this blob; a successor that changes it reads the old ones.
  var form = 1
  /// The epoch in which seq and totals hold.
  var epoch: String
  /// The number of the next record.
  var nextSeq: Int64
  var counts = Counts()
  var overrides = Overrides()
  /// Answers that may not have arrived; nil for none.
  var owed: [Owed]?
  /// Nil while nothing is known of places.
  var places: Places?

  /// Reads a blob; nil if it is none of ours.
  static func decode(_ blob: [UInt8]) -> Memory? {
    guard let memory = try? JSONDecoder().decode(Memory.self, from: Data(blob)), memory.form == 1 else { return nil }
    return memory
  }

  /// The blob.
  var blob: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Nothing in here can fail to encode: counts are finite, keys are fixed.
    return (try? encoder.encode(self)).map { [UInt8]($0) } ?? []
  }
}
