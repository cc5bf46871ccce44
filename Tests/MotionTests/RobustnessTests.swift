import Foundation
import SeededRandom
import Testing

@testable import Motion

/// Ways in which devices spoil a signal; none of them may cost more than one step in a hundred.
struct RobustnessTests {
  enum Spoiling: String, CaseIterable, CustomTestStringConvertible {
    case jitter = "stamps off by up to 30 % of the interval"
    case missing = "10 % of the samples missing"
    case strong = "5 % too strong"
    case weak = "5 % too weak"
    case turned = "turned"
    case bunched = "7 samples in 8 ms each second"
    case grouped = "three samples on one stamp"
    case disordered = "samples repeated, and handed over too late"
    case invalid = "samples that are no numbers"
    case clipped = "cut off at ±2 g"

    var testDescription: String { rawValue }

    func spoil(_ samples: [AccelerometerSample], _ generator: inout SplitMix) -> [AccelerometerSample] {
      switch self {
      case .jitter:
        return samples.map { $0.at($0.time + Double.random(in: -0.006...0.006, using: &generator)) }
      case .missing:
        return samples.filter { _ in Double.random(in: 0..<1, using: &generator) > 0.1 }
      case .strong:
        return samples.map { $0.changed { $0 * 1.05 } }
      case .weak:
        return samples.map { $0.changed { $0 * 0.95 } }
      case .turned:
        return samples.map {
          AccelerometerSample(time: $0.time, x: -$0.z, y: 0.6 * $0.x + 0.8 * $0.y, z: 0.8 * $0.x - 0.6 * $0.y)
        }
      case .bunched:
        return samples.enumerated().map { i, sample in
          let place = i % 50
          return place < 7
            ? sample.at(samples[min(i - place + 6, samples.count - 1)].time - 0.0013 * Double(6 - place)) : sample
        }
      case .grouped:
        return samples.enumerated().map { i, sample in sample.at(samples[min(i - i % 3 + 2, samples.count - 1)].time) }
      case .disordered:
        return samples.enumerated().flatMap { i, sample in
          i % 10 == 3 ? [sample, sample] : i % 10 == 7 ? [sample, samples[i - 3]] : [sample]
        }
      case .invalid:
        return samples.enumerated().map { i, sample in i % 97 == 0 ? sample.changed { _ in .nan } : sample }
      case .clipped:
        return samples.map { $0.changed { min(max($0, -2), 2) } }
      }
    }
  }

  @Test(arguments: Spoiling.allCases)
  func `a spoilt signal counts nearly as a good one`(spoiling: Spoiling) {
    let samples = SyntheticWalk().samples([(5, false), (110, true), (5, false)])
    var generator = SplitMix(seed: 3)
    let spoilt = Heard(spoiling.spoil(samples, &generator))
    #expect(abs(spoilt.steps.count - Heard(samples).steps.count) <= 2)
  }

  /// The recordings are no part of the project; where they lie beside it, some are counted too.
  static let recordings = URL(filePath: #filePath).appending(path: "../../../../shared/recordings").standardized.path
  static let hasRecordings = FileManager.default.fileExists(atPath: recordings + "/manifest.csv")

  @Test(
    .enabled(if: hasRecordings, "skipped: there are no recordings in ../shared/recordings"),
    arguments: [
      "oxford/Samsung_Carmelo_Hard_FrontPocket_1", "oxford/Samsung_Carmelo_Hard_NeckPouch_1",
      "oxford/Samsung_Carmelo_Hard_Armband_1",
    ])
  func `a real walk is counted to one step in fifty, spoilt or not`(name: String) throws {
    let samples = try read("\(RobustnessTests.recordings)/\(name).csv")
    let text = try String(contentsOfFile: "\(RobustnessTests.recordings)/\(name).steps", encoding: .utf8)
    let truth = text.split(separator: "\n").count
    #expect(abs(Heard(samples).steps.count - truth) <= truth / 50)
    for spoiling in Spoiling.allCases {
      var generator = SplitMix(seed: 5)
      let count = Heard(spoiling.spoil(samples, &generator)).steps.count
      #expect(abs(count - truth) <= truth / 33, "\(spoiling.rawValue): \(count) of \(truth)")
    }
  }

  private func read(_ path: String) throws -> [AccelerometerSample] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").dropFirst().compactMap { line in
      let fields = line.split(separator: ",").compactMap { Double($0) }
      guard fields.count == 4 else { return nil }
      return AccelerometerSample(time: fields[0], x: Float(fields[1]), y: Float(fields[2]), z: Float(fields[3]))
    }
  }
}

extension AccelerometerSample {
  fileprivate func at(_ time: Double) -> AccelerometerSample { AccelerometerSample(time: time, x: x, y: y, z: z) }

  fileprivate func changed(_ change: (Float) -> Float) -> AccelerometerSample {
    AccelerometerSample(time: time, x: change(x), y: change(y), z: change(z))
  }
}
