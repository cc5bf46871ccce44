import Journal

typealias JournalConfiguration = Journal.Configuration
