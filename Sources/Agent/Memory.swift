internal import FoundationEssentials

/// What the machine must know after a restart; written with every commit.
struct Memory: Codable, Sendable, Equatable {
  /// An epoch that ended in the middle of a journal.
  struct Former: Codable, Sendable, Equatable {
    var epoch: String
    /// Its last number: a record up to here goes out under its name, however late.
    var last: Int64
  }

  /// The form of this blob; a successor that changes it reads the old ones.
  var form = 1
  /// The epoch in which seq and totals hold.
  var epoch: String
  /// The number of the next record.
  var nextSeq: Int64
  var counts = Counts()
  var overrides = Overrides()
  /// Whether the wearer walked, so that steps may have been told which no commit has; nil for no.
  var isWalking: Bool?
  /// Answers that may not have arrived; nil for none.
  var owed: [Owed]?
  /// The epochs before this one of which records may be left; nil for none.
  var former: [Former]?
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
    do { return [UInt8](try encoder.encode(self)) } catch {
      preconditionFailure("nothing in here can fail to encode, counts are finite: \(error)")
    }
  }
}
