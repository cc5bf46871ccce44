extension Kind where Value == String {
  /// A level of a topic: a device or a group.
  static var word: Kind {
    text("1 to 64 of the characters A-Z a-z 0-9 _ -", \.isTopicLevel)
  }

  /// A device's name in topics; the two that address many devices are taken.
  static var deviceID: Kind {
    text("auto, or 1 to 64 of the characters A-Z a-z 0-9 _ -, and not _all or _group") {
      $0.isTopicLevel && $0 != "_all" && $0 != "_group"
    }
  }

  static var name: Kind {
    text("a line of at most 128 characters") { $0.count <= 128 }
  }

  /// A topic that others lie below.
  static var topic: Kind {
    text("a topic such as home/steps, without + # $ and empty levels") {
      $0.utf8.count <= 128 && !$0.contains(where: { "+#$".contains($0) })
        && !$0.split(separator: "/", omittingEmptySubsequences: false).contains("")
    }
  }

  static var directory: Kind {
    text("the path of a directory") { !$0.isEmpty && $0.utf8.count <= 4095 }
  }

  static var timeZone: Kind {
    text("a name such as Europe/Berlin, or \"\" for the host's zone") { name in
      name.utf8.count <= 64 && !name.hasPrefix("/") && !name.hasSuffix("/") && !name.contains("..")
        && name.unicodeScalars.allSatisfy { $0.isWord || "/+".unicodeScalars.contains($0) }
    }
  }

  static var broker: Kind {
    Kind(
      .text, form: "a broker such as mqtt://host:1883 or mqtts://host:8883",
      // Such a URL may hold a password, so it is not shown.
      objection: { text in
        guard text.contains("@") else { return nil }
        return "names a user; write who in mqtt.username and the password to a file named in mqtt.password_file"
      },
      parse: { $0.isBroker ? $0 : nil }, write: { $0.yaml })
  }
}

extension Kind where Value == Double {
  static var stepLength: Kind {
    Kind(
      .word, form: "0, or a length from 0.2 to 2 (m)",
      parse: { text in text.asDecimal.flatMap { $0 == 0 || (0.2...2).contains($0) ? $0 : nil } }, write: { $0.plain })
  }
}

extension String {
  fileprivate var isTopicLevel: Bool {
    (1...64).contains(utf8.count) && unicodeScalars.allSatisfy(\.isWord)
  }

  /// Whether it is a scheme, a host and perhaps a port; an IPv6 address stands in brackets.
  fileprivate var isBroker: Bool {
    let scheme = hasPrefix("mqtt://") ? 7 : hasPrefix("mqtts://") ? 8 : 0
    guard scheme > 0, utf8.count <= 300 else { return false }
    let rest = dropFirst(scheme)
    var host = rest
    var port: Substring?
    if rest.hasPrefix("[") {
      guard let end = rest.firstIndex(of: "]") else { return false }
      host = rest[rest.index(after: rest.startIndex)..<end]
      let tail = rest[rest.index(after: end)...]
      guard tail.isEmpty || tail.hasPrefix(":") else { return false }
      port = tail.isEmpty ? nil : tail.dropFirst()
      let isAddress = host.unicodeScalars.allSatisfy { $0.isWord || ":.%".unicodeScalars.contains($0) }
      guard isAddress && host.contains(":") else { return false }
    } else {
      if let colon = rest.firstIndex(of: ":") {
        host = rest[..<colon]
        port = rest[rest.index(after: colon)...]
      }
      guard host.unicodeScalars.allSatisfy({ $0.isWord || $0 == "." }) else { return false }
    }
    if let port { guard let number = UInt16(port), number > 0 else { return false } }
    return !host.isEmpty
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
