import BrokerTesting

/// Lets a program see mounts that nobody else sees, and that go when it ends.
enum OwnMounts {
  /// The command that gives them, for root or for a user where the kernel lets one; nil where it does not.
  private static let command: [String]? = [["unshare", "-m"], ["unshare", "-r", "-m"]].first { words in
    let attempt = try? Child(words[0], Array(words[1...]) + ["mount", "-t", "tmpfs", "none", "/mnt"])
    return attempt?.wait() == 0
  }

  /// Whether this machine gives them.
  static var areHere: Bool { command != nil }

  /// What to run a program under so that a shell's words are done before it.
  static func after(_ words: String) -> [String] {
    (command ?? []) + ["sh", "-c", words + #" && exec "$0" "$@""#]
  }
}
