#ifndef CALLOCATION_H
#define CALLOCATION_H

#include <stddef.h>

/// The bytes that the process has allocated and not freed, as its allocator counts them.
size_t allocated_bytes(void);

#endif
