@main
struct Steps2MQTT {
  static func main() async {}
}
