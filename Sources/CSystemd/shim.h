#include <systemd/sd-daemon.h>
#include <systemd/sd-id128.h>
// Swift's own module of the C library leaves it out.
#include <sys/timex.h>
