// swift-tools-version: 6.2
import PackageDescription

/// The settings of every Swift target, tests included: what can be checked is checked, and a warning is an error.
let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("ImmutableWeakCaptures"),
]

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

func library(_ name: String, pkgConfig: String, debian: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([debian])])
}

let package = Package(
  name: "steps2mqtt",
  products: [
    .library(name: "Motion", targets: ["Motion"]),
    .library(name: "Pedometry", targets: ["Pedometry"]),
    .executable(name: "steps2mqtt", targets: ["steps2mqtt"]),
  ],
  targets: [
    library("CMosquitto", pkgConfig: "libmosquitto", debian: "libmosquitto-dev"),
    library("CSQLite", pkgConfig: "sqlite3", debian: "libsqlite3-dev"),
    .systemLibrary(name: "CIIO", providers: [.apt(["libiio-dev"])]),
    .systemLibrary(name: "CEvdev", providers: [.apt(["libevdev2"])]),
    .systemLibrary(name: "CGPS", providers: [.apt(["libgps-dev"])]),
    library("CYAML", pkgConfig: "yaml-0.1", debian: "libyaml-dev"),
    library("CSystemd", pkgConfig: "libsystemd", debian: "libsystemd-dev"),

    // The square root is the machine's own; unoptimised builds call it by its name in libm.
    .target(name: "Motion", swiftSettings: strict, linkerSettings: [.linkedLibrary("m")]),
    // The engine for C, firmware and pages: the header, and what stands behind it.
    .systemLibrary(name: "CMotion"),
    module("MotionC", ["Motion", "CMotion"]),
    module("Wire", ["Motion"]),
    module("Agent", ["Motion", "Wire"]),
    module("Sensors", ["CEvdev", "CGPS", "CIIO", "Motion"]),
    module("Journal", ["CSQLite"]),
    module("MQTT", ["CMosquitto"]),
    module("Host", ["CSystemd"]),
    module("YAML", ["CYAML"]),
    // CoreMotion's pedometer for Swift developers; the one module with Foundation, for NSNumber and OperationQueue.
    module("Pedometry", ["Journal", "Motion", "Sensors"]),
    .executableTarget(
      name: "pedometer-example", dependencies: ["Pedometry"], path: "Examples/pedometer-example",
      swiftSettings: strict),
    .executableTarget(
      name: "steps2mqtt",
      dependencies: ["Motion", "Wire", "Agent", "Sensors", "Journal", "MQTT", "Host", "YAML"],
      swiftSettings: strict),

    // The one seeded generator of tests and tools.
    .target(name: "SeededRandom", path: "Tests/SeededRandom", swiftSettings: strict),

    // Measures and trains the motion engine on recordings; no product.
    .executableTarget(
      name: "accuracy", dependencies: ["Motion", "SeededRandom", "Sensors"], path: "Tests/Accuracy",
      exclude: ["instructions", "train.py", "train_pauses.py"],
      swiftSettings: strict),
    // Measures speed and footprint; no product. Its counting of allocations can only be told in C.
    .target(name: "BenchCounting", path: "Tests/BenchCounting"),
    .executableTarget(
      name: "bench",
      dependencies: [
        "Agent", "AgentTesting", "BenchCounting", "CMosquitto", "Host", "Journal", "Motion", "Sensors", "Wire",
      ],
      path: "Tests/Bench", exclude: ["publisher.c", "publisher.py"], swiftSettings: strict),
    .target(
      name: "AgentTesting", dependencies: ["Agent", "Motion", "Wire"], path: "Tests/AgentTesting",
      swiftSettings: strict),
    // Runs random courses of the machine in its virtual world; no product.
    .executableTarget(
      name: "simulate", dependencies: ["AgentTesting"], path: "Tests/Simulate", swiftSettings: strict),
    .target(name: "BrokerTesting", path: "Tests/BrokerTesting", swiftSettings: strict),
    tests("MotionTests", ["Motion", "SeededRandom"]),
    tests("MotionCTests", ["MotionC", "CMotion", "Motion", "Sensors"]),
    tests("WireTests", ["Wire", "Motion"]),
    tests("AgentTests", ["Agent", "AgentTesting", "Motion", "Wire"]),
    tests("SensorsTests", ["Sensors", "BrokerTesting", "CEvdev", "Motion"]),
    // Lets a disk fail below SQLite, which takes a file system in C.
    .target(name: "FaultyDisk", path: "Tests/FaultyDisk"),
    tests("JournalTests", ["FaultyDisk", "Journal", "SeededRandom"]),
    tests("MQTTTests", ["MQTT", "BrokerTesting", "SeededRandom"]),
    tests("HostTests", ["Host"]),
    tests("YAMLTests", ["YAML", "SeededRandom"]),
    tests("SettingsTests", ["steps2mqtt", "SeededRandom"]),
    tests("PlotTests", ["steps2mqtt", "Motion", "Sensors"]),
    tests(
      "WiringTests", ["steps2mqtt", "Agent", "AgentTesting", "Host", "Journal", "MQTT", "Motion", "Sensors", "Wire"]),
    tests("PedometryTests", ["Motion", "Pedometry", "Sensors"]),
    tests("EndToEndTests", ["BrokerTesting", "Journal", "Motion", "Sensors"]),
  ],
  swiftLanguageModes: [.v6]
)
