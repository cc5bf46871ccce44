import Wire

extension Schema {
  static let places = [
    Setting(
      "places.source", \.places.source, .choice,
      "where the wearer is: gpsd reads a receiver, owntracks is an app on the wearer's phone"),
    Setting("places.gpsd.host", \.places.gpsd.host, .host, "where gpsd runs"),
    Setting("places.gpsd.port", \.places.gpsd.port, .whole(1...65_535), "the port at which gpsd listens"),
    Setting(
      "places.owntracks.topic", \.places.owntracks.topic, .topicOrNone,
      "where the phone publishes; {device} in it is the device's id"),
    Setting(
      "places.regions", \.places.regions, .list(of: .region, 0...Region.limit, "regions"),
      "entering one starts a session, leaving it stops it; or as its enter and leave say: start, stop or none"),
    Setting("places.max_age_s", \.places.maxAge, .number(1...86_400), "older positions change nothing"),
    Setting("places.max_accuracy_m", \.places.maxAccuracy, .number(1...10_000), "coarser positions change nothing"),
    Setting(
      "places.margin_m", \.places.margin, .number(0...10_000), "how far outside its border a region is surely left"),
    Setting(
      "places.dwell_s", \.places.dwell, .number(0...3600), "how long positions must say that a border was crossed"),
    Setting(
      "places.commands", \.places.commands, .choice,
      "what commands may do with regions; each says where the wearer lives"),
    Setting(
      "places.publish_position", \.places.publishesPosition, .flag,
      "whether events of crossings say where they were; positions leave the device nowhere else"),
  ]

  static let notification = [
    Setting(
      "notification.enabled", \.notification.enabled, .flag,
      "whether a person is told of new steps, at most once in 10 s"),
    Setting("notification.text", \.notification.text, .template, "the words"),
    Setting("notification.text_at_place", \.notification.textAtPlace, .template, "the words in a region"),
    Setting("notification.place", \.notification.place, .flag, "whether the region's name may be told"),
  ]
}
