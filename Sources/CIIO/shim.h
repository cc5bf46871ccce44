#include <dlfcn.h>
#include <iio.h>

// libiio's functions as they are found when it is loaded. Nothing links to it: a machine without it can still run the
// agent with other sources. Their types are those of its own header, so that a changed one does not compile.
#define CIIO_FUNCTIONS(f)                                                                                             \
  f(create_context_from_uri) f(create_local_context) f(create_xml_context_mem) f(context_destroy)                     \
  f(context_set_timeout) f(context_get_devices_count) f(context_get_device)                                           \
  f(device_get_id) f(device_get_name) f(device_get_label) f(device_is_trigger) f(device_find_channel)                 \
  f(device_find_attr) f(device_attr_read) f(device_attr_write)                                                        \
  f(device_get_trigger) f(device_set_trigger) f(device_set_kernel_buffers_count) f(device_create_buffer)              \
  f(channel_find_attr) f(channel_attr_read) f(channel_attr_read_longlong) f(channel_attr_write)                       \
  f(channel_is_scan_element) f(channel_enable) f(channel_get_data_format) f(channel_convert)                          \
  f(buffer_refill) f(buffer_start) f(buffer_end) f(buffer_step) f(buffer_first) f(buffer_cancel) f(buffer_destroy)

struct ciio {
#define CIIO_FIELD(name) __typeof__(&iio_##name) name;
  CIIO_FUNCTIONS(CIIO_FIELD)
#undef CIIO_FIELD
};

// Loads libiio and fills the table; returns NULL, or why it cannot be done. It stays loaded.
static inline const char *ciio_load(struct ciio *table) {
  void *library = dlopen("libiio.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library) return dlerror();
#define CIIO_FIND(name)                                                                                               \
  if (!(table->name = (__typeof__(&iio_##name))dlsym(library, "iio_" #name))) return "iio_" #name " is missing in it";
  CIIO_FUNCTIONS(CIIO_FIND)
#undef CIIO_FIND
  return 0;
}
