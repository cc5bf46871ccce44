public import Foundation

/// Keys and certificates made in the test run: a CA, servers good and bad, clients good and bad.
public struct Certificates: Sendable {
  /// Where the files are: `NAME.crt` and `NAME.key`.
  public let directory: URL

  /// Makes them all with the `openssl` command: `ca`, `foreign-ca`, `server`, `wrong-name`, `expired`,
  /// `foreign-server`, `client`, `foreign-client`.
  public init() throws {
    directory = try TestBroker.makeDirectory("certificates")
    try makeAuthority("ca")
    try makeAuthority("foreign-ca")
    let local = "subjectAltName=DNS:localhost,IP:127.0.0.1"
    try makeLeaf("server", by: "ca", local)
    try makeLeaf("wrong-name", by: "ca", "subjectAltName=DNS:elsewhere.example")
    try makeLeaf("expired", by: "ca", local, days: -1)
    try makeLeaf("foreign-server", by: "foreign-ca", local)
    try makeLeaf("client", by: "ca", "extendedKeyUsage=clientAuth")
    try makeLeaf("foreign-client", by: "foreign-ca", "extendedKeyUsage=clientAuth")
  }

  /// The path of a certificate.
  public func certificate(_ name: String) -> String { file(name, "crt") }

  /// The path of a key.
  public func key(_ name: String) -> String { file(name, "key") }

  /// The lines of a mosquitto listener with one of the servers' certificates.
  public func listener(_ name: String) -> [String] {
    ["cafile \(certificate("ca"))", "certfile \(certificate(name))", "keyfile \(key(name))"]
  }

  private func file(_ name: String, _ kind: String) -> String { directory.appending(path: "\(name).\(kind)").path }

  private static let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]

  private func makeAuthority(_ name: String) throws {
    try runBlocking(
      "openssl",
      ["req", "-x509"] + Self.newKey + [
        "-days", "2", "-subj", "/CN=\(name)", "-keyout", key(name), "-out", certificate(name),
        "-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign,cRLSign",
      ])
  }

  private func makeLeaf(_ name: String, by authority: String, _ line: String, days: Int = 2) throws {
    try runBlocking(
      "openssl",
      ["req"] + Self.newKey + ["-subj", "/CN=\(name)", "-keyout", key(name), "-out", file(name, "csr")])
    try Data("basicConstraints=CA:FALSE\nkeyUsage=critical,digitalSignature\n\(line)\n".utf8)
      .write(to: directory.appending(path: "\(name).ext"))
    try runBlocking(
      "openssl",
      [
        "x509", "-req", "-in", file(name, "csr"), "-CA", certificate(authority), "-CAkey", key(authority),
        "-CAcreateserial", "-days", "\(days)", "-extfile", file(name, "ext"), "-out", certificate(name),
      ])
  }
}
