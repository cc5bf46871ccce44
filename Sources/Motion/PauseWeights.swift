/// The trained weights of `PauseFinder`, in its order.
///
/// Written by Tests/Accuracy/train_pauses.py; do not edit. Seed 1, 109 subjects,
/// 175001 looks, numpy 2.4.6, scikit-learn 1.9.1; the recordings' sources and
/// licences are listed in SOURCES.csv beside them.
enum PauseWeights {
  static let trained: InlineArray<16, Float> = [
    -0.634566, -5.18226, -6.68727, -0.126031, 1.53206, -6.91934, 0.148845, 1.24326,
    -3.9253, -3.30872, 7.23599, 1.62096, -1.22886, 1.1087, -6.3482, 0.79457,
  ]
}
