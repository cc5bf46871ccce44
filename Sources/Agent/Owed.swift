internal import Wire

/// An answer that is on disk while nobody knows whether it arrived: after a restart it is sent once more.
struct Owed: Codable, Sendable, Equatable {
  /// The command's id, under which the journal keeps the answer's body.
  var id: String
  /// `Response.Status`.
  var status: String
  /// Where the answer goes.
  var topic: String
  /// What it repeats of its command.
  var correlation: [UInt8]

  /// The answer with a body, on a device whose own response topic is given.
  func answer(body: [UInt8], own: String) -> QueuedAnswer {
    let response = Response(id: id, status: Response.Status(rawValue: status) ?? .duplicate, body: body)
    return QueuedAnswer(response: response, topic: topic, correlation: correlation, isElsewhere: topic != own)
  }
}

/// An answer that waits for its turn or for its acknowledgement.
struct QueuedAnswer: Sendable, Equatable {
  var response: Response
  var topic: String
  var correlation: [UInt8]
  /// Whether it goes to another topic than the device's own.
  var isElsewhere: Bool
  /// Whether it was shortened, since the broker does not take it whole.
  var isShort = false

  var publication: Publication { Publication(topic: topic, payload: response.json, correlation: correlation) }

  /// The bytes of its packet beside the payload, generously.
  var head: Int { topic.utf8.count + correlation.count + 64 }

  /// What to remember of it over a restart; nil for one that nobody can ask for again.
  var owed: Owed? {
    response.id.map { Owed(id: $0, status: response.status.rawValue, topic: topic, correlation: correlation) }
  }

  /// What is tried next when the broker will never take this; nil when nothing is left.
  ///
  /// Without state and data it may be small enough; then the topic or the correlation may be what is refused.
  func smaller(own: String) -> QueuedAnswer? {
    var next = self
    if !isShort {
      next.response = response.shortened
      next.isShort = true
    } else if isElsewhere {
      next = moved(to: own)
    } else if !correlation.isEmpty {
      next.correlation = []
    } else {
      return nil
    }
    return next
  }

  /// The same on the device's own topic.
  func moved(to own: String) -> QueuedAnswer {
    var next = self
    (next.topic, next.isElsewhere) = (own, false)
    return next
  }
}

extension Reply {
  /// What to remember of this answer over a restart.
  var owed: Owed? {
    response.id.map { Owed(id: $0, status: response.status.rawValue, topic: topic, correlation: correlation) }
  }
}
