#include <dlfcn.h>
#include <linux/input.h>
#include <sys/ioctl.h>

// libevdev's functions as they are found when it is loaded: nothing links to it and nobody needs its headers, so that a
// machine without it can build and run the agent with other sources. Their types are those of its stable interface
// (libevdev.so.2); the structures are the kernel's own.
struct libevdev;

struct cevdev {
  int (*new_from_fd)(int fd, struct libevdev **device);
  void (*free)(struct libevdev *device);
  const char *(*get_name)(const struct libevdev *device);
  int (*has_property)(const struct libevdev *device, unsigned int property);
  const struct input_absinfo *(*get_abs_info)(const struct libevdev *device, unsigned int code);
  int (*set_clock_id)(struct libevdev *device, int clock);
  int (*next_event)(struct libevdev *device, unsigned int flags, struct input_event *event);
};

// Its constants.
enum {
  CEVDEV_READ_SYNC = 1,
  CEVDEV_READ_NORMAL = 2,
  CEVDEV_STATUS_SUCCESS = 0,
  CEVDEV_STATUS_SYNC = 1,
};

// The time of an event in microseconds: its fields have other names where the time has 64 bits on a machine of 32.
static inline long long cevdev_microseconds(const struct input_event *event) {
  return (long long)event->input_event_sec * 1000000 + (long long)event->input_event_usec;
}

// Loads libevdev and fills the table; returns NULL, or why it cannot be done. It stays loaded.
static inline const char *cevdev_load(struct cevdev *table) {
  void *library = dlopen("libevdev.so.2", RTLD_NOW | RTLD_LOCAL);
  if (!library) return dlerror();
#define CEVDEV_FIND(name)                                                                                             \
  if (!(table->name = (__typeof__(table->name))dlsym(library, "libevdev_" #name))) return "libevdev_" #name " is missing in it";
  CEVDEV_FIND(new_from_fd) CEVDEV_FIND(free) CEVDEV_FIND(get_name) CEVDEV_FIND(has_property)
  CEVDEV_FIND(get_abs_info) CEVDEV_FIND(set_clock_id) CEVDEV_FIND(next_event)
#undef CEVDEV_FIND
  return 0;
}
