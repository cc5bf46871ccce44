import Motion

/// How things look: each differs from the others by shape or place as well as by colour, since paper is often grey.
enum Ink {
  /// The style sheet of the picture.
  static let style = """

    text{font-family:"DejaVu Sans",Verdana,Arial,sans-serif;font-size:11px;fill:#222}
    .title{font-size:18px;font-weight:bold}
    .summary{font-size:13px}
    .error{fill:#c00000;font-weight:bold}
    .quiet{fill:#666}
    .page{fill:#fff}
    .frame{fill:none;stroke:#888;stroke-width:.8}
    .onfoot{fill:#e4eaf4}
    .grid{fill:none;stroke:#bbb;stroke-width:.5}
    .magnitude{fill:none;stroke:#555;stroke-width:.8;stroke-linejoin:round}
    .true{fill:none;stroke:#000;stroke-width:1.2}
    .counted{fill:none;stroke:#1f4fc0;stroke-width:1.2}
    .dense{stroke-width:.5}
    .missed{fill:#fff;stroke:#c00000;stroke-width:1.2}
    .stray{fill:#c00000;stroke:#c00000;stroke-width:.8}
    .missedline{fill:none;stroke:#c00000;stroke-width:.8;stroke-dasharray:3 2}
    .strayline{fill:none;stroke:#c00000;stroke-width:.8}
    .pause,.resume{fill:none;stroke:#1f4fc0;stroke-width:1.6}
    .cadence{fill:none;stroke:#1f4fc0;stroke-width:1.4}
    .truecadence{fill:none;stroke:#000;stroke-width:1;stroke-dasharray:2 2}
    .mistake{fill:#c00000}
    .unnamed{fill:#fff;stroke:#888;stroke-width:.6;stroke-dasharray:2 2}
    .unknown{fill:#fff;stroke:#888;stroke-width:.6}
    .stationary{fill:#dedede;stroke:#888;stroke-width:.6}
    .walking{fill:#a9d18e;stroke:#666;stroke-width:.6}
    .cycling{fill:#56b4d9;stroke:#555;stroke-width:.6}
    .running{fill:#b8541a;stroke:#444;stroke-width:.6}
    .automotive{fill:#43346e;stroke:#333;stroke-width:.6}
    .dark{paint-order:stroke;stroke:#fff;stroke-width:2.5px;stroke-linejoin:round}
    .bright{fill:#fff;paint-order:stroke;stroke:#43346e;stroke-width:2.5px;stroke-linejoin:round}

    """

  /// The activities from the lightest to the darkest, as the legend has them.
  static let activities: [MotionActivity.Kind] = [.unknown, .stationary, .walking, .cycling, .running, .automotive]

  /// The class of words on an activity's colour.
  static func words(on kind: MotionActivity.Kind?) -> String { kind == .automotive ? "bright" : "dark" }

  /// How much of the ribbon's height a confidence fills.
  static func height(of confidence: MotionActivity.Confidence) -> Double {
    switch confidence {
    case .low: 0.45
    case .medium: 0.7
    case .high: 1
    }
  }
}
