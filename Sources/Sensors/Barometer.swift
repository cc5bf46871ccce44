import Glibc
public import Motion

/// What a barometer says.
public enum BarometerEvent: Sendable, Equatable {
  /// It is open, or back; readings will follow.
  case opened(name: String)
  /// Readings in the order in which they were taken, on the boot time; never empty.
  case readings([PressureSample])
  /// It went away or cannot be read, for a reason; it is looked for again.
  case lost(SensorError)
  /// There is none, and none was asked for by its name: the last event.
  case absent
}

/// A barometer that is open: what it is called, and how it is read.
struct OpenBarometer {
  var name: String
  /// Reads the pressure, in Pa.
  var read: () throws(IIOFailure) -> Double
}

/// Keeps a barometer open and reads it once a second; runs on a thread that may block.
///
/// What is wrong with it is said once and never ends the reading: it is opened again, in growing intervals.
struct BarometerLoop {
  /// The time between two readings, in seconds.
  static let interval = 1.0
  /// How many readings are handed on together: floors are not in a hurry, and each time costs power.
  static let together = 4
  /// So many readings in a row that are none make a barometer that is lost.
  static let patience = 5
  /// The longest wait before it is looked for again, in seconds.
  static let longestWait = 30.0

  /// Opens the barometer; nil where there is none and none is missed.
  let open: () throws(SensorError) -> OpenBarometer?
  /// Waits for some seconds; false when it is time to end.
  let wait: (Double) -> Bool
  /// The boot time, in seconds.
  let now: () -> Double
  /// Takes what happened.
  let emit: (BarometerEvent) -> Void

  /// Runs until `wait` says that it is time to end, or there is no barometer.
  func run() {
    var backoff = Backoff(first: 1, longest: Self.longestWait)
    var lost: SensorError.Code?
    while wait(0) {
      do throws(SensorError) {
        guard let barometer = try open() else { return emit(.absent) }
        try read(barometer) {
          backoff.reset()
          lost = nil
        }
        return
      } catch {
        if lost != error.code { emit(.lost(error)) }
        lost = error.code
      }
      guard wait(backoff.next()) else { return }
    }
  }

  /// Reads until it is time to end; throws where only opening it again may help.
  private func read(_ barometer: OpenBarometer, found: () -> Void) throws(SensorError) {
    var readings: [PressureSample] = []
    var failures = 0
    var isOpened = false
    repeat {
      let begin = now()
      do throws(SensorError) {
        let pressure = try take(barometer)
        failures = 0
        if !isOpened { emit(.opened(name: barometer.name)) }
        isOpened = true
        found()
        readings.append(PressureSample(time: (begin + now()) / 2, pressure: Float(pressure)))
      } catch {
        failures += 1
        guard error.code != .notFound, failures < Self.patience else { throw error }
      }
      if readings.count == Self.together {
        emit(.readings(readings))
        readings.removeAll(keepingCapacity: true)
      }
    } while wait(Self.interval)
  }

  /// One reading in Pa; throws what is wrong with it.
  private func take(_ barometer: OpenBarometer) throws(SensorError) -> Double {
    let pressure: Double
    do throws(IIOFailure) {
      pressure = try barometer.read()
    } catch {
      let isGone = error.number == ENODEV || error.number == ENOENT
      throw SensorError(
        error.number == EACCES ? .notPermitted : isGone ? .notFound : .inputOutput,
        "\(barometer.name): \(error.text)\(isGone ? "; plug it in again" : "; check its wiring")")
    }
    guard PressureSample.possible.contains(Float(pressure)) else {
      throw SensorError(.invalid, "\(barometer.name): gives \(pressure) Pa; the driver's scale is wrong")
    }
    return pressure
  }
}
