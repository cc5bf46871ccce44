#pragma once

/* How often memory was asked for since the start of the process, by any library in it. */
long counting_allocations(void);
/* What was allocated and not freed, in bytes, by any library in the process. */
long counting_heap_bytes(void);
/* How often a file was forced to the disk since the start of the process. */
long counting_forced_writes(void);
