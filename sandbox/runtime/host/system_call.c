/* Calls by which the host has the system read or write its memory. The system does not come to a
 * closed page by a fault that this library sees: the call would fail, and nothing be found. So
 * these stand before the C library's own, open what guards close, as an access of the host does,
 * and go on there. They have no version, which is why the program's references to the C library's
 * find them. */
#include "sandbox/runtime/pinned.h"

#include <dlfcn.h>
#include <stdio.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

/* The next library's function of the same name. */
#define NEXT(name)                                                                                 \
    static __typeof__(name) *next;                                                                 \
    if (!__atomic_load_n(&next, __ATOMIC_RELAXED))                                                 \
    __atomic_store_n(&next, (__typeof__(name) *)dlsym(RTLD_NEXT, #name), __ATOMIC_RELAXED)

API ssize_t read(int file, void *to, size_t bytes) {
    NEXT(read);
    guard_use(to, bytes, true);
    return next(file, to, bytes);
}

API ssize_t write(int file, const void *from, size_t bytes) {
    NEXT(write);
    guard_use(from, bytes, false);
    return next(file, from, bytes);
}

API ssize_t pread(int file, void *to, size_t bytes, off_t offset) {
    NEXT(pread);
    guard_use(to, bytes, true);
    return next(file, to, bytes, offset);
}

API ssize_t pwrite(int file, const void *from, size_t bytes, off_t offset) {
    NEXT(pwrite);
    guard_use(from, bytes, false);
    return next(file, from, bytes, offset);
}

API ssize_t writev(int file, const struct iovec *parts, int count) {
    NEXT(writev);
    for (int i = 0; i < count; i++)
        guard_use(parts[i].iov_base, parts[i].iov_len, false);
    return next(file, parts, count);
}

API size_t fread(void *to, size_t size, size_t count, FILE *file) {
    size_t bytes;
    NEXT(fread);
    if (!__builtin_mul_overflow(size, count, &bytes))
        guard_use(to, bytes, true);
    return next(to, size, count, file);
}

API size_t fwrite(const void *from, size_t size, size_t count, FILE *file) {
    size_t bytes;
    NEXT(fwrite);
    if (!__builtin_mul_overflow(size, count, &bytes))
        guard_use(from, bytes, false);
    return next(from, size, count, file);
}
