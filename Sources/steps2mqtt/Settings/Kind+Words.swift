import MQTT
import Sensors
import Wire

extension Kind where Value == String {
  /// A barometer.
  static var barometer: Kind {
    text("auto, none, or a barometer's name or label") { !$0.isEmpty && $0.count <= 128 }
  }

  /// A level of a topic: a device or a group.
  static var word: Kind {
    text("1 to 64 of the characters A-Z a-z 0-9 _ -", Topics.isID)
  }

  /// A device's name in topics; the two that address many devices are taken.
  static var deviceID: Kind {
    text("auto, or 1 to 64 of the characters A-Z a-z 0-9 _ -, and not _all or _group", Topics.isDevice)
  }

  static var name: Kind {
    text("a line of at most 128 characters") { $0.count <= 128 }
  }

  /// A topic that others lie below.
  static var topic: Kind {
    text("a topic such as home/steps, without + # $ and empty levels") {
      $0.utf8.count <= 128 && !$0.contains(anyOf: "+#$")
        && !$0.split(separator: "/", omittingEmptySubsequences: false).contains("")
    }
  }

  /// A device's name with places for what a message says, or nothing.
  static var deviceTemplate: Kind {
    text("\"\" for one device, or a name with {device}, or {1} for the first wildcard") { template in
      guard !template.isEmpty else { return true }
      let places = ["{device}"] + (1...9).map { "{\($0)}" }
      let filled = places.reduce(template) { $0.replacing($1, with: "a") }
      return filled != template && Topics.isID(filled)
    }
  }

  /// A topic to subscribe to, which may have wildcards.
  static var topicFilter: Kind {
    text("a topic such as phones/anna/accel, + for any level, # at the end; \"\" for none") { filter in
      let levels = filter.split(separator: "/", omittingEmptySubsequences: false)
      return filter.utf8.count <= 256 && !filter.hasPrefix("$")
        && levels.enumerated().allSatisfy { index, level in
          level == "+" || level == "#" && index == levels.count - 1 || !level.contains(anyOf: "+#")
        }
    }
  }

  static var directory: Kind {
    text("the path of a directory") { !$0.isEmpty && $0.utf8.count <= 4095 }
  }

  static var host: Kind {
    text("a host's name or address") { host in
      (1...253).contains(host.utf8.count)
        && host.unicodeScalars.allSatisfy { $0.isWord || ".:".unicodeScalars.contains($0) }
    }
  }

  static var timeZone: Kind {
    text("a name such as Europe/Berlin, or \"\" for the host's zone") { name in
      name.utf8.count <= 64 && !name.hasPrefix("/") && !name.hasSuffix("/") && !name.contains("..")
        && name.unicodeScalars.allSatisfy { $0.isWord || "/+".unicodeScalars.contains($0) }
    }
  }

  /// An address of libiio's, without the backends that play back or make up.
  static var iioAddress: Kind {
    text("\"\" for this machine, or an address such as ip:192.0.2.7") { address in
      address.isEmpty || ["ip:", "usb:", "serial:", "local:"].contains { address.hasPrefix($0) }
    }
  }

  /// An address in numbers; the socket says whether this machine has it.
  static var address: Kind {
    text("an address in numbers, such as 127.0.0.1 or ::1") { address in
      !address.isEmpty && address.utf8.count <= 64
        && address.unicodeScalars.allSatisfy {
          $0.properties.isASCIIHexDigit || ".:%".unicodeScalars.contains($0) || $0.isWord
        }
        && address.contains(anyOf: ".:")
    }
  }

  /// What `Broker` reads; its own words say what is wrong, without a password that may be in it.
  static var broker: Kind {
    Kind(
      .text, form: "a broker such as mqtt://host:1883 or mqtts://host:8883",
      objection: { text in
        do throws(MQTTError) {
          _ = try Broker(text)
          return nil
        } catch {
          return error.message.printable(at: 240)
        }
      },
      parse: { $0.utf8.count <= 300 ? $0 : nil }, write: { $0.yaml })
  }
}

extension Kind where Value == Int {
  /// The speeds of serial ports.
  static var baud: Kind {
    let speeds = SerialSource<ContinuousClock>.Configuration.speeds
    return Kind(
      .word, form: "a speed such as 9600 or 115200, at most \(speeds.last ?? 0)",
      parse: { text in Int(text).flatMap { speeds.contains($0) ? $0 : nil } }, write: { "\($0)" })
  }
}

extension Kind where Value == Double {
  static var stepLength: Kind {
    Kind(
      .word,
      form: "0, or a length from \(Limits.stepLength.lowerBound.plain) to \(Limits.stepLength.upperBound.plain) (m)",
      parse: { text in text.asDecimal.flatMap { $0 == 0 || Limits.stepLength.contains($0) ? $0 : nil } },
      write: { $0.plain })
  }
}

extension Unicode.Scalar {
  /// Whether it is one of `A-Z a-z 0-9 _ -`.
  var isWord: Bool {
    switch self {
    case "A"..."Z", "a"..."z", "0"..."9", "_", "-": true
    default: false
    }
  }
}
