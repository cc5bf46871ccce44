/// The trained weights of `PauseFinder`, in its order.
///
/// Written by Tests/Accuracy/train_pauses.py; do not edit. Seed 1, 108 subjects,
/// 173354 looks, numpy 2.4.6, scikit-learn 1.9.1; the recordings' sources and
/// licences are listed in SOURCES.csv beside them.
enum PauseWeights {
  static let trained: InlineArray<16, Float> = [
    -1.07643, -5.15505, -6.33318, -0.148418, 1.53833, -6.56352, -0.244123, 1.28325,
    -3.20608, -4.00623, 8.016, 1.74747, -1.41203, 1.19447, -3.12862, 0.839214,
  ]
}
