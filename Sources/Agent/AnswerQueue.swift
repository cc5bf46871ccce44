internal import Wire

/// The answers that wait for their turn, in order, bounded in number and size.
struct AnswerQueue: Sendable, Equatable {
  /// How many wait; the oldest give way.
  ///
  /// Far more than the window: a broker may send a thousand commands before it hears of the first, and what it has to
  /// say of their answers comes after them.
  static let capacity = 4096
  /// How many bytes of them wait.
  static let byteCapacity = 2 << 20

  private(set) var answers: [QueuedAnswer] = []
  /// The bytes of all of them: of thousands they are not added up anew at each.
  private var bytes = 0

  /// Lets an answer wait behind the others; gives those that have to give way to it.
  mutating func append(_ answer: QueuedAnswer) -> [QueuedAnswer] {
    answers.append(answer)
    bytes += answer.size
    var count = 0
    while answers.count - count > Self.capacity || bytes > Self.byteCapacity, count < answers.count - 1 {
      bytes -= answers[count].size
      count += 1
    }
    defer { answers.removeFirst(count) }
    return Array(answers.prefix(count))
  }

  /// Lets answers that could not go be the next to go.
  mutating func putBack(_ returned: [QueuedAnswer]) {
    answers = returned + answers
    bytes += returned.reduce(0) { $0 + $1.size }
  }

  /// Takes the answer at a position.
  mutating func take(at index: Int) -> QueuedAnswer {
    bytes -= answers[index].size
    return answers.remove(at: index)
  }
}

extension QueuedAnswer {
  fileprivate var size: Int { response.body.count }
}
