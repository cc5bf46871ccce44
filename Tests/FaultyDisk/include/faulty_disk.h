#ifndef FAULTY_DISK_H
#define FAULTY_DISK_H

/// What goes wrong below SQLite.
enum faulty_kind {
  /// A write is an input/output error.
  FAULTY_WRITE = 1,
  /// A write gets half of its way, then it is an input/output error.
  FAULTY_SHORT_WRITE = 2,
  /// The disk is full.
  FAULTY_FULL = 3,
  /// A forced write is an input/output error.
  FAULTY_SYNC = 4,
  /// A read is an input/output error.
  FAULTY_READ = 5,
};

/// Puts a file system that can fail between SQLite and the real one; to be called once, before any file is opened.
int faulty_install(void);

/// Lets the call of a number, counted from now, fail for the files of a directory, and all later ones if `for_good`.
void faulty_arm(const char *directory, enum faulty_kind kind, long call, int for_good);

/// Lets all calls succeed again; gives how many failed.
long faulty_disarm(void);

/// How many writes to the files of the directory were forced to the disk since `faulty_arm`.
long faulty_syncs(void);

#endif
