extension Course {
  /// Seeds that once showed a defect, what each showed beside it.
  ///
  /// They run with every test; a change to the courses changes what a seed brings, so each defect has its script, too.
  public static let regressions: [UInt64] = [
    31,  // A repeated id was answered while the first answer was still on its way to the disk.
    152,  // Batches refused one after the other went back into the history in the wrong order.
    284,  // A repeated id was answered anew after the disk had been unreadable.
    2347,  // A record included while a page was under way was passed over until the next connection.
    3464,  // Records of a trim that was refused were passed over until the next connection.
    8880,  // A record that came back wiped out what had been read before it and waited.
    9260,  // A refused batch went ahead of records that were to be read before it.
    2504,  // An answer given without the disk, while the disk was tried again, was not kept when that went well.
  ]
}
