/* A file system of SQLite's that passes everything on to the usual one, save for the calls that shall fail. */
#include "faulty_disk.h"
#include <pthread.h>
#include <sqlite3.h>
#include <string.h>

struct file {
  sqlite3_file base;
  int is_watched;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
  char directory[256];
  enum faulty_kind kind;
  long call, failed, syncs;
  int for_good;
} plan;
static sqlite3_vfs *usual;
static sqlite3_vfs faulty;

static sqlite3_file *real(sqlite3_file *file) { return (sqlite3_file *)((struct file *)file + 1); }

/* Whether a call that could fail in this way shall. */
static int fails(sqlite3_file *file, enum faulty_kind kind) {
  if (!((struct file *)file)->is_watched) return 0;
  pthread_mutex_lock(&lock);
  int fails = 0;
  if (kind == plan.kind && (plan.call > 0 || plan.for_good)) {
    if (plan.call > 0) plan.call--;
    fails = plan.call == 0;
    plan.failed += fails;
  }
  if (kind == FAULTY_SYNC) plan.syncs++;
  pthread_mutex_unlock(&lock);
  return fails;
}

static int close_file(sqlite3_file *file) { return real(file)->pMethods->xClose(real(file)); }

static int read_file(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  if (fails(file, FAULTY_READ)) return SQLITE_IOERR_READ;
  return real(file)->pMethods->xRead(real(file), bytes, count, offset);
}

static int write_file(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  if (fails(file, FAULTY_WRITE)) return SQLITE_IOERR_WRITE;
  if (fails(file, FAULTY_FULL)) return SQLITE_FULL;
  if (fails(file, FAULTY_SHORT_WRITE)) {
    real(file)->pMethods->xWrite(real(file), bytes, count / 2, offset);
    return SQLITE_IOERR_WRITE;
  }
  return real(file)->pMethods->xWrite(real(file), bytes, count, offset);
}

static int truncate_file(sqlite3_file *file, sqlite3_int64 size) {
  return real(file)->pMethods->xTruncate(real(file), size);
}

static int sync_file(sqlite3_file *file, int flags) {
  if (fails(file, FAULTY_SYNC)) return SQLITE_IOERR_FSYNC;
  /* The tests cut no power: what the kernel has is enough, and quick. */
  if (((struct file *)file)->is_watched) return SQLITE_OK;
  return real(file)->pMethods->xSync(real(file), flags);
}

static int size_of_file(sqlite3_file *file, sqlite3_int64 *size) {
  return real(file)->pMethods->xFileSize(real(file), size);
}

static int lock_file(sqlite3_file *file, int level) { return real(file)->pMethods->xLock(real(file), level); }
static int unlock_file(sqlite3_file *file, int level) { return real(file)->pMethods->xUnlock(real(file), level); }
static int check_lock(sqlite3_file *file, int *is_reserved) {
  return real(file)->pMethods->xCheckReservedLock(real(file), is_reserved);
}
static int control(sqlite3_file *file, int operation, void *argument) {
  return real(file)->pMethods->xFileControl(real(file), operation, argument);
}
static int sector_size(sqlite3_file *file) { return real(file)->pMethods->xSectorSize(real(file)); }
static int characteristics(sqlite3_file *file) { return real(file)->pMethods->xDeviceCharacteristics(real(file)); }
static int map(sqlite3_file *file, int page, int size, int extends, void volatile **memory) {
  return real(file)->pMethods->xShmMap(real(file), page, size, extends, memory);
}
static int lock_map(sqlite3_file *file, int offset, int count, int flags) {
  return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}
static void order_map(sqlite3_file *file) { real(file)->pMethods->xShmBarrier(real(file)); }
static int unmap(sqlite3_file *file, int deletes) { return real(file)->pMethods->xShmUnmap(real(file), deletes); }

static const sqlite3_io_methods methods = {
    2,          close_file, read_file,  write_file, truncate_file, sync_file,       size_of_file, lock_file,
    unlock_file, check_lock, control,   sector_size, characteristics, map,          lock_map,     order_map,
    unmap,
};

static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *opened) {
  (void)vfs;
  int result = usual->xOpen(usual, name, real(file), flags, opened);
  file->pMethods = real(file)->pMethods ? &methods : NULL;
  pthread_mutex_lock(&lock);
  size_t length = strlen(plan.directory);
  ((struct file *)file)->is_watched = name && length > 0 && strncmp(name, plan.directory, length) == 0;
  pthread_mutex_unlock(&lock);
  return result;
}

int faulty_install(void) {
  usual = sqlite3_vfs_find(NULL);
  if (!usual) return SQLITE_ERROR;
  faulty = *usual;
  faulty.zName = "faulty";
  faulty.szOsFile = (int)sizeof(struct file) + usual->szOsFile;
  faulty.xOpen = open_file;
  return sqlite3_vfs_register(&faulty, 1);
}

void faulty_arm(const char *directory, enum faulty_kind kind, long call, int for_good) {
  pthread_mutex_lock(&lock);
  strncpy(plan.directory, directory, sizeof plan.directory - 1);
  plan.kind = kind;
  plan.call = call;
  plan.for_good = for_good;
  plan.failed = plan.syncs = 0;
  pthread_mutex_unlock(&lock);
}

long faulty_disarm(void) {
  pthread_mutex_lock(&lock);
  long failed = plan.failed;
  plan.call = 0;
  plan.for_good = 0;
  plan.failed = 0;
  pthread_mutex_unlock(&lock);
  return failed;
}

long faulty_syncs(void) {
  pthread_mutex_lock(&lock);
  long syncs = plan.syncs;
  pthread_mutex_unlock(&lock);
  return syncs;
}
