#include <dlfcn.h>
#include <gps.h>

// libgps's functions as they are found when it is loaded. Nothing links to it: a machine without it can still run the
// agent. Their types are those of its own header, so that a changed one does not compile.
#define CGPS_FUNCTIONS(f) f(open) f(close) f(stream) f(waiting) f(read) f(unpack) f(errstr)

// The caller owns the structure that libgps fills, so only the library of this very header will do: Debian 12 has
// version 28 for the interface 11; for another the link of the development package is the right one.
#if GPSD_API_MAJOR_VERSION == 11
#define CGPS_LIBRARY "libgps.so.28"
#else
#define CGPS_LIBRARY "libgps.so"
#endif

struct cgps {
#define CGPS_FIELD(name) __typeof__(&gps_##name) name;
  CGPS_FUNCTIONS(CGPS_FIELD)
#undef CGPS_FIELD
};

// Loads libgps and fills the table; returns NULL, or why it cannot be done. It stays loaded.
static inline const char *cgps_load(struct cgps *table) {
  void *library = dlopen(CGPS_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (!library) return dlerror();
#define CGPS_FIND(name)                                                                                               \
  if (!(table->name = (__typeof__(&gps_##name))dlsym(library, "gps_" #name))) return "gps_" #name " is missing in it";
  CGPS_FUNCTIONS(CGPS_FIND)
#undef CGPS_FIND
  return 0;
}
