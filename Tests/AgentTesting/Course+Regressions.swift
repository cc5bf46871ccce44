extension Course {
  /// Seeds that once showed a defect; what each showed is said beside it. They are run with every test.
  public static let regressions: [UInt64] = []
}
