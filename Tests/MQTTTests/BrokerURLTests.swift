import MQTT
import Testing

@Suite struct `A broker's URL` {
  @Test(arguments: [
    ("mqtt://localhost", Broker(host: "localhost", port: 1883)),
    ("mqtt://localhost/", Broker(host: "localhost", port: 1883)),
    ("mqtts://broker.example", Broker(host: "broker.example", port: 8883, isEncrypted: true)),
    ("MQTTS://Broker.example:1", Broker(host: "Broker.example", port: 1, isEncrypted: true)),
    ("mqtt://127.0.0.1:65535", Broker(host: "127.0.0.1", port: 65535)),
    ("mqtt://[::1]", Broker(host: "::1", port: 1883)),
    ("mqtt://[fe80::1%eth0]:1884", Broker(host: "fe80::1%eth0", port: 1884)),
  ])
  func `gives host, port and encryption`(url: String, broker: Broker) throws {
    #expect(try Broker(url) == broker)
  }

  @Test(arguments: [
    ("", "write mqtt://"),
    ("localhost:1883", "write mqtt://"),
    ("http://localhost", "'http' is unknown"),
    ("mqtt://", "the host is missing"),
    ("mqtt://:1883", "the host is missing"),
    ("mqtt://host:", "'' is not a port"),
    ("mqtt://host:0", "'0' is not a port"),
    ("mqtt://host:65536", "'65536' is not a port"),
    ("mqtt://host:+1", "'+1' is not a port"),
    ("mqtt://host:abc", "'abc' is not a port"),
    ("mqtt://host:1883/path", "nothing may follow"),
    ("mqtt://::1", "in brackets"),
    ("mqtt://[::1", "not closed"),
    ("mqtt://[::1]1883", "must follow"),
    ("mqtt://two words", "a space"),
  ])
  func `is refused with what is wrong`(url: String, why: String) {
    let error = #expect(throws: MQTTError.self) { try Broker(url) }
    #expect(error?.code == .invalidURL)
    #expect(error?.message.contains(why) == true, "\(error?.message ?? "")")
  }

  @Test(arguments: ["mqtt://user:secret@host", "tcp://user:secret@host", "user:secret@host", "mqtts://secret@[::1]:1"])
  func `never repeats a password`(url: String) {
    let error = #expect(throws: MQTTError.self) { try Broker(url) }
    #expect(error?.message.contains("secret") == false)
    #expect(error?.message.contains("mqtt.password_file") == true)
  }

  @Test(arguments: ["mqtt://localhost:1883", "mqtts://[::1]:8883", "mqtt://127.0.0.1:1884"])
  func `is written as it was read`(url: String) throws {
    #expect(try Broker(url).description == url)
  }
}
