extension Journal.Trim {
  /// Checks that the plan still fits what is on disk, and that its merged records come with it.
  func validate(
    with records: [Journal.Record], _ contents: Contents, _ database: inout Database
  ) throws(JournalError) {
    let planned = merged.map { [$0.replaces?.lowerBound, Int64($0.steps)] }
    let given = records.filter { $0.replaces != nil }.map { [$0.replaces?.lowerBound, Int64($0.steps)] }
    guard planned == given else {
      throw JournalError(.refused, "the merged records are not those of the plan; this is a defect of the agent")
    }
    var found = (records: 0, steps: 0)
    for range in ranges.flatMap(contents.acknowledged.gaps) {
      let sums = try database.query(
        "SELECT count(*), sum(\(Row.count("steps"))) FROM records WHERE seq BETWEEN ? AND ?",
        [.integer(range.lowerBound), .integer(range.upperBound)], { (Int($0.integer(0)), Int($0.integer(1))) })
      for (records, steps) in sums { found = (found.records + records, found.steps + steps) }
    }
    guard found == (self.records, steps) else {
      throw JournalError(.staleTrim, "records of the trim were acknowledged or removed meanwhile: plan it again")
    }
  }

  /// Removes the records from disk and from the outbox.
  func carryOut(_ contents: inout Contents, _ database: inout Database) throws(JournalError) {
    for range in ranges {
      try database.run(
        "DELETE FROM records WHERE seq BETWEEN ? AND ?", .integer(range.lowerBound), .integer(range.upperBound))
      contents.acknowledged.insert(range)
    }
    contents.unacknowledgedCount -= records
  }
}
