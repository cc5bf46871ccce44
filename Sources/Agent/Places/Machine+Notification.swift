public import Wire

extension Machine.Configuration {
  /// What a person is told, and in which words.
  public struct Notification: Sendable, Equatable {
    /// The words where no place is told.
    public var text: TextTemplate
    /// The words where a place is told.
    public var textAtPlace: TextTemplate
    /// Whether the name of the place may be told.
    public var tellsPlace: Bool

    /// Makes words for a person.
    public init(text: TextTemplate, textAtPlace: TextTemplate, tellsPlace: Bool) {
      self.text = text
      self.textAtPlace = textAtPlace
      self.tellsPlace = tellsPlace
    }
  }
}

/// What a person was told last.
struct Told: Sendable, Equatable {
  /// The steps of the epoch then.
  var steps: Int
  /// When, in ms on the monotonic clock; nil before the first time.
  var moment: Int64?
}

extension Machine {
  /// The least time between two notifications, in ms (the contract's figure).
  static let notificationInterval: Int64 = 10_000

  /// When a person is to be told of steps, in ms on the monotonic clock; nil if there is nothing to tell.
  var notificationDeadline: Int64? {
    guard configuration.notification != nil, publisher.isUp, phase == .running, !awaitsJournal,
      !publisher.isWaiting(.notification), shown.totalSteps != told.steps
    else { return nil }
    return told.moment.map { $0 + Self.notificationInterval } ?? last?.monotonic
  }

  /// Lets a person be told of the steps that others see, if there are others than before, and not too often.
  mutating func notifyIfDue(at now: Instant) {
    if let due = notificationDeadline, now.monotonic >= due { publisher.enqueue(birth: .notification) }
  }

  /// What a person is told now; nil if nothing.
  mutating func notification(at now: Instant) -> Publication? {
    guard let notification = configuration.notification else { return nil }
    told = Told(steps: shown.totalSteps, moment: now.monotonic)
    let topics = configuration.topics
    // The smallest region says most.
    let place = places.monitor.surrounding?.min { $0.radius < $1.radius }?.title
    let named = notification.tellsPlace ? place : nil
    let words = DeviceNotification(
      shown, name: configuration.name.isEmpty ? topics.device : configuration.name, place: named,
      template: named == nil ? notification.text : notification.textAtPlace)
    return Publication(topic: topics.notification, payload: words.json)
  }
}
