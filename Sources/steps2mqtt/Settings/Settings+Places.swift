import Wire

extension Settings {
  /// Where the wearer is, and which places matter.
  struct Places: Sendable, Equatable {
    /// Where positions come from.
    enum Source: String, CaseIterable, Sendable {
      case none, gpsd, owntracks
    }

    /// What commands may do with regions.
    enum Commands: String, CaseIterable, Sendable {
      case none, list, set
    }

    /// The daemon that reads a receiver.
    struct GPSD: Sendable, Equatable {
      var host = "localhost"
      var port = 2947
    }

    /// The app on the wearer's phone.
    struct OwnTracks: Sendable, Equatable {
      /// What stands for the device's id in the topic.
      static let device = "{device}"
      /// Where the phone publishes; empty for none.
      var topic = ""
    }

    var source = Source.none
    var gpsd = GPSD()
    var owntracks = OwnTracks()
    var regions: [Region] = []
    /// In s.
    var maxAge = 120.0
    /// In m.
    var maxAccuracy = 100.0
    /// In m.
    var margin = 20.0
    /// In s.
    var dwell = 10.0
    var commands = Commands.none
    var publishesPosition = false
  }

  /// What a person is told.
  struct Notification: Sendable, Equatable {
    var enabled = false
    var text = "{steps} steps"
    var textAtPlace = "{steps} steps at {place}"
    /// Whether the name of the place may be told.
    var place = false
  }
}
