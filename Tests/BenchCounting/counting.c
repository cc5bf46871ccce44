/* A program stands before its libraries in the search for a name: whoever in the process allocates, or forces a file to
   the disk, comes by here, is counted, and goes on to the C library. */
#define _GNU_SOURCE
#include "counting.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

static atomic_long allocations;
static atomic_long forced_writes;

long counting_allocations(void) { return atomic_load_explicit(&allocations, memory_order_relaxed); }
long counting_forced_writes(void) { return atomic_load_explicit(&forced_writes, memory_order_relaxed); }

long counting_heap_bytes(void) {
  struct mallinfo2 heap = mallinfo2();
  return (long)(heap.uordblks + heap.hblkhd);
}

static void count(atomic_long *counter) { atomic_fetch_add_explicit(counter, 1, memory_order_relaxed); }

void *malloc(size_t size) {
  count(&allocations);
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count(&allocations);
  return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
  count(&allocations);
  return __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count(&allocations);
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **place, size_t alignment, size_t size) {
  void *memory = aligned_alloc(alignment, size);
  if (!memory) return ENOMEM;
  *place = memory;
  return 0;
}

static int force(int descriptor, const char *name) {
  int (*next)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  count(&forced_writes);
  if (next) return next(descriptor);
  errno = ENOSYS;
  return -1;
}

int fsync(int descriptor) { return force(descriptor, "fsync"); }

int fdatasync(int descriptor) { return force(descriptor, "fdatasync"); }
