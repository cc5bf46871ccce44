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

  /// The publication of the answer with a body.
  func publication(body: [UInt8]) -> Publication {
    let response = Response(id: id, status: Response.Status(rawValue: status) ?? .duplicate, body: body)
    return Publication(topic: topic, payload: response.json, correlation: correlation)
  }
}

/// An answer that waits for its turn or for its acknowledgement.
struct QueuedAnswer: Sendable, Equatable {
  var publication: Publication
  /// What to remember of it over a restart; nil for one that nobody can ask for again.
  var owed: Owed?
}

extension Reply {
  /// What to remember of this answer over a restart.
  var owed: Owed? {
    response.id.map { Owed(id: $0, status: response.status.rawValue, topic: topic, correlation: correlation) }
  }
}
