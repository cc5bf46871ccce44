import BrokerTesting
import Foundation
import Glibc

/// A real gpsd, to which its own gpsfake plays what a receiver would say; both end with their owner.
final class Receiver: Sendable {
  /// Whether gpsd and gpsfake are installed.
  static let isHere = (try? program("gpsd")) != nil && (try? program("gpsfake")) != nil

  let port: UInt16
  private let process: Child
  private let log: URL

  /// Plays places, one each second of the receiver's own time, as soon as somebody listens.
  init(_ places: [(latitude: Double, longitude: Double)], in directory: URL) throws {
    port = try TestBroker.freePort()
    log = directory.appending(path: "gpsfake-\(port).log")
    let track = directory.appending(path: "track-\(port).nmea")
    let sentences = places.enumerated().flatMap { Self.sentences($0.element, second: $0.offset) }
    try Data((["# Date: 2026-11-30"] + sentences.map { $0 + "\r" }).joined(separator: "\n").utf8).write(to: track)
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    process = try Child(
      "gpsfake", ["-1", "-t", "-c", "0.01", "-P", "\(port)", track.path], output: log.path,
      environment: ["PATH": "\(path):/usr/sbin:/sbin"])
  }

  // gpsfake takes its gpsd with it only when it is asked to end.
  deinit { process.end(SIGTERM) }

  /// What gpsd and gpsfake complained of.
  var logText: String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }

  /// What a receiver with eight satellites says of a place: from their geometry gpsd estimates an error of 17 m.
  private static func sentences(_ place: (latitude: Double, longitude: Double), second: Int) -> [String] {
    let time = String(format: "%02d%02d%02d.00", 8 + second / 3600, second / 60 % 60, second % 60)
    let position =
      angle(place.latitude, width: 2, "N", "S") + "," + angle(place.longitude, width: 3, "E", "W")
    return [
      "GPRMC,\(time),A,\(position),0.0,0.0,301126,,,A",
      "GPGGA,\(time),\(position),1,08,0.9,35.0,M,40.0,M,,",
      "GPGSA,A,3,02,05,09,12,15,18,21,24,,,,,1.6,0.9,1.3",
      "GPGSV,2,1,08,02,60,040,45,05,50,120,44,09,45,200,43,12,40,280,42",
      "GPGSV,2,2,08,15,35,320,41,18,30,080,40,21,65,160,46,24,25,240,39",
    ].map { body in "$\(body)*" + String(format: "%02X", body.utf8.reduce(0) { $0 ^ Int($1) }) }
  }

  /// An angle as NMEA 0183 writes it: degrees and minutes in one, then the direction.
  private static func angle(_ value: Double, width: Int, _ positive: String, _ negative: String) -> String {
    let degrees = Int(abs(value))
    let minutes = (abs(value) - Double(degrees)) * 60
    let text = String(format: "%0\(width)d%08.5f", degrees, minutes)
    return "\(text),\(value < 0 ? negative : positive)"
  }
}
