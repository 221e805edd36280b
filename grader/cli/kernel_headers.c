/* Finds #include directives as text and reads what they name.
 *
 * The file may be a stranger's, and so may its folder: only names that headers have are opened, and
 * neither ".." nor a symbolic link leads out of a folder. A directive in a comment or behind #if
 * costs a file that is read and not used. */
#include "grader/cli/kernel_headers.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

struct search {
    const char *own; /* the file's folder */
    const char *const *folders;
    size_t folder_count;
    struct kernel_headers *headers;
};

static bool is_header_name(const char *name) {
    static const char *const endings[] = {".h",   ".cuh", ".hpp", ".hh",
                                          ".hxx", ".inl", ".inc", ".cu"};
    const char *ending = strrchr(file_base_name(name), '.');
    for (size_t i = 0; ending && i < ARRAY_LENGTH(endings); i++)
        if (strcmp(ending, endings[i]) == 0)
            return build_header_name_is_sound(name);
    return false;
}

/* -1 where there is none. */
static int open_beneath(const char *folder, const char *name) {
    cleanup_fd int directory = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    struct open_how how = {.flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK,
                           .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS};
    return directory < 0 ? -1 : (int)syscall(SYS_openat2, directory, name, &how, sizeof how);
}

static bool is_known(const struct kernel_headers *headers, const char *name) {
    for (size_t i = 0; i < headers->count; i++)
        if (strcmp(headers->items[i].name, name) == 0)
            return true;
    return false;
}

/* STATUS_OK also where the folder has no such file. */
static enum status read_from(const char *folder, const char *name, struct kernel_headers *headers,
                             struct error *error) {
    cleanup_fd int file = open_beneath(folder, name);
    if (file < 0)
        return STATUS_OK;
    if (headers->count == BUILD_MAX_HEADERS)
        return error_set(error, STATUS_INVALID, "%s is one header too many: at most %d", name,
                         BUILD_MAX_HEADERS);
    char path[32];
    size_t length;
    cleanup_free char *text = NULL;
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    enum status status = file_read(path, BUILD_SOURCE_MAX, &text, &length, error);
    if (status != STATUS_OK)
        return error_set(error, STATUS_INVALID, "%s cannot be read as a header", name);
    headers->bytes += length;
    if (strlen(text) != length || headers->bytes > BUILD_SOURCE_MAX)
        return error_set(error, STATUS_INVALID,
                         strlen(text) != length ? "the header %s is not a text file"
                                                : "with %s the headers are larger than 4 MiB",
                         name);
    headers->items[headers->count++] =
        (struct source_header){.name = mem_strdup(name), .text = steal_pointer(&text)};
    return STATUS_OK;
}

static enum status read_header(const struct search *search, const char *name, bool quoted,
                               struct error *error) {
    struct kernel_headers *headers = search->headers;
    enum status status = STATUS_OK;
    if (!is_header_name(name) || is_known(headers, name))
        return STATUS_OK;
    if (quoted)
        status = read_from(search->own, name, headers, error);
    for (size_t i = 0; i < search->folder_count && status == STATUS_OK && !is_known(headers, name);
         i++)
        status = read_from(search->folders[i], name, headers, error);
    return status;
}

/* All that a text names: `#`, `include`, and a name in quotes or angle brackets. */
static enum status read_named(const struct search *search, const char *text, struct error *error) {
    static const char blanks[] = " \t";
    enum status status = STATUS_OK;
    for (const char *at = text; status == STATUS_OK && (at = strchr(at, '#'));) {
        at++;
        at += strspn(at, blanks);
        if (strncmp(at, "include", 7) != 0)
            continue;
        at += 7;
        at += strspn(at, blanks);
        if (*at != '"' && *at != '<')
            continue;
        bool quoted = *at++ == '"';
        size_t length = strcspn(at, quoted ? "\"\n" : ">\n");
        cleanup_free char *name = mem_strndup(at, length);
        status = read_header(search, name, quoted, error);
    }
    return status;
}

enum status kernel_headers_read(const char *path, const char *source, const char *const *folders,
                                size_t folder_count, struct kernel_headers *headers,
                                struct error *error) {
    size_t length = (size_t)(file_base_name(path) - path);
    cleanup_free char *own = length ? mem_strndup(path, length) : mem_strdup(".");
    struct search search = {own, folders, folder_count, headers};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < folder_count && status == STATUS_OK; i++) {
        cleanup_fd int folder = open(folders[i], O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (folder < 0)
            status = error_set(error, STATUS_INVALID, "-I %s is no folder", folders[i]);
    }
    if (status == STATUS_OK)
        status = read_named(&search, source, error);
    for (size_t i = 0; i < headers->count && status == STATUS_OK; i++) /* it grows meanwhile */
        status = read_named(&search, headers->items[i].text, error);
    return status;
}

void kernel_headers_free(struct kernel_headers *headers) {
    for (size_t i = 0; i < headers->count; i++) {
        free((char *)headers->items[i].name);
        free((char *)headers->items[i].text);
    }
    *headers = (struct kernel_headers){0};
}
