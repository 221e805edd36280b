/* Finds #include directives as text and reads what they name.
 *
 * The file may be a stranger's, and so may its folder: only names that headers have are opened, and
 * no symbolic link leads out of a folder, nor ".." but where a program's user says so. A directive
 * in a comment or behind #if costs a file that is read and not used.
 *
 * A header's name is its path from the file's folder. Where one begins with "..", all stand below
 * BUILD_HEADER_ROOT in the end, which is deep enough for them. */
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
    unsigned climbs; /* how many folders up a name may lead */
    struct kernel_headers *headers;
};

/* Behind all "../" at the beginning, which are counted. */
static const char *climb_of(const char *name, unsigned *climb) {
    for (*climb = 0; strncmp(name, "../", 3) == 0; name += 3)
        ++*climb;
    return name;
}

/* The path of `name` that the header or file `includer` includes, without "." and inner "..". */
static char *resolve(const char *includer, const char *name) {
    cleanup_free char *whole =
        mem_printf("%.*s%s", (int)(file_base_name(includer) - includer), includer, name);
    cleanup_text struct text path = {0};
    char *rest = NULL;
    for (char *part = strtok_r(whole, "/", &rest); part; part = strtok_r(NULL, "/", &rest)) {
        unsigned climb;
        bool is_inner = *climb_of(text_string(&path), &climb);
        if (strcmp(part, ".") == 0)
            continue;
        if (strcmp(part, "..") != 0 || !is_inner) {
            text_printf(&path, "%s/", part);
            continue;
        }
        size_t length = path.length - 1; /* the last part goes */
        while (length && text_string(&path)[length - 1] != '/')
            length--;
        cleanup_free char *kept = mem_strndup(text_string(&path), length);
        text_clear(&path);
        text_append(&path, kept);
    }
    return mem_strndup(text_string(&path), path.length ? path.length - 1 : 0);
}

static bool is_header_name(const struct search *search, const char *path) {
    static const char *const endings[] = {".h",   ".cuh", ".hpp", ".hh", ".hxx", ".inl",
                                          ".inc", ".cu",  ".c",   ".cc", ".cpp", ".cxx",
                                          ".tpp", ".ipp", ".icc", ".def"};
    unsigned climb;
    const char *name = climb_of(path, &climb);
    if (climb > search->climbs)
        return false;
    const char *ending = strrchr(file_base_name(name), '.');
    for (size_t i = 0; ending && i < ARRAY_LENGTH(endings); i++)
        if (strcmp(ending, endings[i]) == 0)
            return build_header_name_is_sound(name);
    return false;
}

/* -1 where there is none. */
static int open_beneath(const char *folder, const char *path) {
    unsigned climb;
    const char *name = climb_of(path, &climb);
    cleanup_free char *above = mem_printf("%s/%.*s", folder, (int)(name - path), path);
    cleanup_fd int directory = open(above, O_PATH | O_DIRECTORY | O_CLOEXEC);
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
    if (!is_header_name(search, name) || is_known(headers, name))
        return STATUS_OK;
    if (quoted)
        status = read_from(search->own, name, headers, error);
    for (size_t i = 0; i < search->folder_count && status == STATUS_OK && !is_known(headers, name);
         i++)
        status = read_from(search->folders[i], name, headers, error);
    return status;
}

/* In a program, a name in quotes is first one from where it is included; NVRTC knows headers by
 * what the directives call them. */
static enum status read_quoted(const struct search *search, const char *includer, const char *name,
                               struct error *error) {
    if (!search->climbs)
        return read_header(search, name, true, error);
    cleanup_free char *path = resolve(includer, name);
    enum status status = *name == '/' ? STATUS_OK : read_header(search, path, true, error);
    return status != STATUS_OK || is_known(search->headers, path)
               ? status
               : read_header(search, name, true, error);
}

/* All that a text names: `#`, `include`, and a name in quotes or angle brackets. */
static enum status read_named(const struct search *search, const char *includer, const char *text,
                              struct error *error) {
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
        status = quoted ? read_quoted(search, includer, name, error)
                        : read_header(search, name, false, error);
    }
    return status;
}

/* Under BUILD_HEADER_ROOT, from where "../" leads to one of its own parents. */
static void stand_below_root(struct kernel_headers *headers) {
    bool climbs = false;
    for (size_t i = 0; i < headers->count; i++)
        climbs |= strncmp(headers->items[i].name, "../", 3) == 0;
    for (size_t i = 0; i < headers->count && climbs; i++) {
        unsigned climb;
        const char *old = headers->items[i].name, *name = climb_of(old, &climb);
        size_t kept =
            (BUILD_HEADER_CLIMBS - climb) * strlen(BUILD_HEADER_ROOT) / BUILD_HEADER_CLIMBS;
        headers->items[i].name = mem_printf("%.*s%s", (int)kept, BUILD_HEADER_ROOT, name);
        free((char *)old);
    }
}

enum status kernel_headers_read(const char *path, const char *source, const char *const *folders,
                                size_t folder_count, unsigned climbs,
                                struct kernel_headers *headers, struct error *error) {
    size_t length = (size_t)(file_base_name(path) - path);
    cleanup_free char *own = length ? mem_strndup(path, length) : mem_strdup(".");
    struct search search = {own, folders, folder_count, climbs, headers};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < folder_count && status == STATUS_OK; i++) {
        cleanup_fd int folder = open(folders[i], O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (folder < 0)
            status = error_set(error, STATUS_INVALID, "-I %s is no folder", folders[i]);
    }
    if (status == STATUS_OK)
        status = read_named(&search, "", source, error);
    for (size_t i = 0; i < headers->count && status == STATUS_OK; i++) /* it grows meanwhile */
        status = read_named(&search, headers->items[i].name, headers->items[i].text, error);
    stand_below_root(headers);
    return status;
}

void kernel_headers_free(struct kernel_headers *headers) {
    for (size_t i = 0; i < headers->count; i++) {
        free((char *)headers->items[i].name);
        free((char *)headers->items[i].text);
    }
    *headers = (struct kernel_headers){0};
}
