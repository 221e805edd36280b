/* What a jailed program needs to see: its own file, the libraries that this and the shown files
 * need, and the shown paths.
 *
 * As root the jail is made by a user who may not enter every folder (/root, a closed home), and
 * bubblewrap resolves the names of what it shows. Files below such folders are staged: launch.c
 * binds them to a place that the user can reach.
 *
 * Libraries are found the way the loader would find them for us: by the object's run path, among
 * those that this process has loaded (which is where LD_LIBRARY_PATH and the loader's cache show),
 * in LD_LIBRARY_PATH, in the loader's default folders. Inside, the environment is empty and there
 * is no cache: what does not come from a default folder stands in JAIL_LIBRARIES. */
#include "sandbox/isolation/jail_private.h"
#include "sandbox/isolation/reachable.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DYNAMIC_MAX = 1 << 16, STRINGS_MAX = 1 << 20, HEADERS_MAX = 64, FILES_MAX = 128 };

/* What is needed of an ELF file. */
struct object {
    int descriptor;
    Elf64_Phdr headers[HEADERS_MAX];
    size_t header_count;
    char *strings; /* of the dynamic section, ended by NUL */
    size_t strings_length;
    Elf64_Dyn *dynamic;
    size_t dynamic_count;
};

static bool read_at(int descriptor, void *into, size_t length, uint64_t offset) {
    return offset <= INT64_MAX && pread(descriptor, into, length, (off_t)offset) == (ssize_t)length;
}

static bool object_offset(const struct object *object, uint64_t address, uint64_t *offset) {
    for (size_t i = 0; i < object->header_count; i++) {
        const Elf64_Phdr *header = &object->headers[i];
        if (header->p_type == PT_LOAD && address >= header->p_vaddr &&
            address - header->p_vaddr < header->p_filesz) {
            *offset = address - header->p_vaddr + header->p_offset;
            return true;
        }
    }
    return false;
}

static uint64_t object_value(const struct object *object, int64_t tag) {
    for (size_t i = 0; i < object->dynamic_count; i++)
        if (object->dynamic[i].d_tag == tag)
            return object->dynamic[i].d_un.d_val;
    return 0;
}

static void object_read_strings(struct object *object) {
    uint64_t length = object_value(object, DT_STRSZ), offset;
    if (length == 0 || length > STRINGS_MAX ||
        !object_offset(object, object_value(object, DT_STRTAB), &offset))
        return;
    object->strings = mem_zalloc(length + 1);
    object->strings_length = length;
    if (!read_at(object->descriptor, object->strings, length, offset))
        object->strings_length = 0;
}

/* False where it is no ELF file of this machine's kind. */
static bool object_open(struct object *object, const char *path) {
    *object = (struct object){.descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    Elf64_Ehdr header;
    if (object->descriptor < 0 || !read_at(object->descriptor, &header, sizeof header, 0) ||
        memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
        header.e_phentsize != sizeof(Elf64_Phdr) || header.e_phnum > HEADERS_MAX)
        return false;
    object->header_count = header.e_phnum;
    if (!read_at(object->descriptor, object->headers, header.e_phnum * sizeof(Elf64_Phdr),
                 header.e_phoff))
        return false;
    for (size_t i = 0; i < object->header_count; i++) {
        const Elf64_Phdr *part = &object->headers[i];
        if (part->p_type != PT_DYNAMIC || part->p_filesz > DYNAMIC_MAX)
            continue;
        object->dynamic = mem_zalloc(part->p_filesz + 1);
        object->dynamic_count = part->p_filesz / sizeof(Elf64_Dyn);
        if (!read_at(object->descriptor, object->dynamic, part->p_filesz, part->p_offset))
            return false;
    }
    object_read_strings(object);
    return true;
}

static void object_close(struct object *object) {
    if (object->descriptor >= 0)
        close(object->descriptor);
    free(object->dynamic);
    free(object->strings);
}

static const char *object_string(const struct object *object, uint64_t offset) {
    return offset < object->strings_length ? object->strings + offset : "";
}

/* The loader that the kernel starts a program with; caller frees; NULL: none. */
static char *object_loader(const struct object *object) {
    char path[PATH_MAX] = "";
    for (size_t i = 0; i < object->header_count; i++)
        if (object->headers[i].p_type == PT_INTERP && object->headers[i].p_filesz < sizeof path &&
            read_at(object->descriptor, path, object->headers[i].p_filesz,
                    object->headers[i].p_offset) &&
            path[0] == '/')
            return mem_strdup(path);
    return NULL;
}

/* --- where a library is --- */

struct wanted {
    const char *name;
    char *path; /* found */
};

static int match_loaded(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    struct wanted *wanted = context;
    if (!wanted->path && info->dlpi_name[0] == '/' &&
        strcmp(file_base_name(info->dlpi_name), wanted->name) == 0)
        wanted->path = mem_strdup(info->dlpi_name);
    return 0;
}

static char *find_loaded(const char *name) {
    struct wanted wanted = {.name = name};
    dl_iterate_phdr(match_loaded, &wanted);
    return wanted.path;
}

/* In a colon-separated list of folders, where $ORIGIN is the object's own. */
static char *find_in_list(const char *list, const char *origin, const char *name) {
    cleanup_free char *copy = mem_strdup(list ? list : "");
    char *rest = NULL;
    for (char *part = strtok_r(copy, ":", &rest); part; part = strtok_r(NULL, ":", &rest)) {
        size_t skip = strncmp(part, "$ORIGIN", 7) == 0     ? 7
                      : strncmp(part, "${ORIGIN}", 9) == 0 ? 9
                                                           : 0;
        cleanup_free char *path =
            mem_printf("%.*s%s/%s", skip ? (int)(file_base_name(origin) - origin) : 0, origin,
                       part + skip, name);
        if (path[0] == '/' && access(path, R_OK) == 0)
            return steal_pointer(&path);
    }
    return NULL;
}

/* The loader's default folders; the first is this system's own, where the C library is. */
static char *default_folders(void) {
    cleanup_free char *libc = find_loaded("libc.so.6");
    return mem_printf("%.*s:/lib64:/usr/lib64:/lib:/usr/lib",
                      libc ? (int)(file_base_name(libc) - libc - 1) : 0, libc ? libc : "");
}

static bool is_in_list(const char *list, const char *path) {
    size_t length = (size_t)(file_base_name(path) - path - 1);
    for (const char *at = list; at; at = strchr(at, ':')) {
        at += *at == ':';
        if (strcspn(at, ":") == length && strncmp(at, path, length) == 0)
            return true;
    }
    return false;
}

/* Where libraries may be, for all files of a run. */
struct search {
    unsigned sees;
    /* The program is a stranger's: what it says of libraries and of its loader must not decide
     * which files of this machine it is shown. It has those of `preferred` and what it sees anyhow.
     */
    bool is_foreign;
    const char *preferred; /* lists of folders; NULL: none */
    const char *defaults;
};

static char *find_library(const struct object *object, const char *origin, const char *name,
                          const struct search *search) {
    if (strchr(name, '/'))
        return name[0] == '/' && !search->is_foreign ? mem_strdup(name) : NULL;
    char *path = find_in_list(search->preferred, "", name);
    if (path || search->is_foreign)
        return path;
    uint64_t run_path = object_value(object, DT_RUNPATH);
    if (!run_path)
        run_path = object_value(object, DT_RPATH);
    path = run_path ? find_in_list(object_string(object, run_path), origin, name) : NULL;
    if (!path)
        path = find_loaded(name);
    if (!path)
        path = find_in_list(getenv("LD_LIBRARY_PATH"), "", name);
    return path ? path : find_in_list(search->defaults, "", name);
}

/* --- the list --- */

static bool is_listed(const struct shown_files *files, const char *inside) {
    for (size_t i = 0; i < files->count; i++)
        if (strcmp(files->items[i].inside, inside) == 0)
            return true;
    return false;
}

static bool list_add(struct shown_files *files, const char *outside, const char *inside) {
    struct stat info;
    char resolved[PATH_MAX]; /* /proc/self/exe is another file to bubblewrap */
    if (is_listed(files, inside))
        return true;
    if (files->count >= FILES_MAX || !realpath(outside, resolved) || stat(resolved, &info) != 0)
        return false;
    *mem_push(&files->items, &files->count, &files->capacity) =
        (struct shown_file){.outside = mem_strdup(resolved),
                            .named = mem_strdup(outside),
                            .inside = mem_strdup(inside),
                            .is_closed = !reachable_path(resolved),
                            .is_folder = S_ISDIR(info.st_mode)};
    return true;
}

static struct shown_file *find_inside(struct shown_files *files, const char *inside) {
    for (size_t i = 0; i < files->count; i++)
        if (strcmp(files->items[i].inside, inside) == 0)
            return &files->items[i];
    return NULL;
}

static void mark_run(struct shown_files *files, const char *inside) {
    struct shown_file *file = find_inside(files, inside);
    if (file)
        file->is_run = true;
}

/* NVRTC opens its second library by the bare name. */
static void mark_searched(struct shown_files *files, const char *inside) {
    struct shown_file *file = find_inside(files, inside);
    if (file)
        file->is_searched = !file->is_folder && strstr(file_base_name(inside), ".so");
}

/* With the system's folders visible, what stands there needs no row of its own. */
static bool is_system_path(unsigned sees, const char *path) {
    static const char *const folders[] = {"/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/",
                                          "/usr/bin/"};
    for (size_t i = 0; i < ARRAY_LENGTH(folders) && sees & SEES_SYSTEM; i++)
        if (strncmp(path, folders[i], strlen(folders[i])) == 0)
            return true;
    return false;
}

static void add_needs(struct shown_files *files, const struct search *search, const char *path,
                      unsigned depth);

static void add_library(struct shown_files *files, const struct search *search, const char *path,
                        unsigned depth) {
    bool by_default = is_in_list(search->defaults, path);
    cleanup_free char *inside =
        by_default ? mem_strdup(path) : file_join(JAIL_LIBRARIES, file_base_name(path));
    if (is_listed(files, inside) || is_system_path(search->sees, inside))
        return;
    files->has_libraries = files->has_libraries || !by_default;
    if (list_add(files, path, inside))
        add_needs(files, search, path, depth + 1);
}

/* One that is not found is left for the loader to complain about. */
static void add_needs(struct shown_files *files, const struct search *search, const char *path,
                      unsigned depth) {
    struct object object;
    if (depth < 16 && object_open(&object, path)) {
        cleanup_free char *loader = object_loader(&object);
        if (loader && !search->is_foreign && !is_system_path(search->sees, loader) &&
            list_add(files, loader, loader))
            mark_run(files, loader);
        for (size_t i = 0; i < object.dynamic_count; i++) {
            if (object.dynamic[i].d_tag != DT_NEEDED)
                continue;
            const char *name = object_string(&object, object.dynamic[i].d_un.d_val);
            cleanup_free char *library = find_library(&object, path, name, search);
            if (library)
                add_library(files, search, library, depth);
        }
    }
    object_close(&object);
}

static enum status cannot_show(const char *path, struct error *error) {
    error_set(error, STATUS_ENVIRONMENT, "cannot show %s to a worker: %s", path, strerror(errno));
    return STATUS_ENVIRONMENT;
}

/* A user of its own may read what every user may. */
static enum status check_readable(const char *path, mode_t needed, struct error *error) {
    struct stat info;
    if (stat(path, &info) != 0)
        return cannot_show(path, error);
    if (geteuid() != 0 || (info.st_mode & needed) == needed)
        return STATUS_OK;
    error_set(error, STATUS_ENVIRONMENT, "%s is closed to the users that workers run as", path);
    error_hint(error, "chmod o+%s %s", needed & 01 ? "rx" : "r", path);
    return STATUS_ENVIRONMENT;
}

enum status shown_files_open(struct shown_files *files, const struct jail_spec *spec,
                             struct error *error) {
    *files = (struct shown_files){0};
    cleanup_free char *defaults = default_folders();
    const struct search search = {.sees = jail_profiles[spec->profile].sees,
                                  .is_foreign = spec->profile == JAIL_HOST_CODE,
                                  .preferred = spec->libraries,
                                  .defaults = defaults};
    enum status status = check_readable(spec->program, 05, error);
    if (status == STATUS_OK && !list_add(files, spec->program, JAIL_PROGRAM))
        status = cannot_show(spec->program, error);
    mark_run(files, JAIL_PROGRAM);
    add_needs(files, &search, spec->program, 0);
    for (size_t i = 0; status == STATUS_OK && spec->shown && spec->shown[i]; i++) {
        const char *path = spec->shown[i];
        struct stat info;
        bool is_folder = stat(path, &info) == 0 && S_ISDIR(info.st_mode);
        status = check_readable(path, is_folder ? 05 : 04, error);
        if (status == STATUS_OK && !list_add(files, path, path))
            status = cannot_show(path, error);
        mark_searched(files, path);
        if (!is_folder)
            add_needs(files, &search, path, 0);
    }
    if (status != STATUS_OK)
        shown_files_close(files);
    return status;
}

void shown_files_close(struct shown_files *files) {
    for (size_t i = 0; i < files->count; i++) {
        free(files->items[i].staged);
        free(files->items[i].inside);
        free(files->items[i].named);
        free(files->items[i].outside);
    }
    free(files->items);
    *files = (struct shown_files){0};
}

char *shown_files_library_path(const struct shown_files *files) {
    cleanup_text struct text folders = {0};
    text_append(&folders, ":");
    for (size_t i = 0; i < files->count; i++) {
        const struct shown_file *file = &files->items[i];
        bool is_moved = strncmp(file->inside, JAIL_LIBRARIES "/", sizeof JAIL_LIBRARIES) == 0;
        cleanup_free char *folder =
            mem_printf(":%.*s:", (int)(file_base_name(file->named) - file->named), file->named);
        if ((is_moved || file->is_searched) && !strstr(text_string(&folders), folder))
            text_append(&folders, folder + 1);
    }
    return folders.length > 1 ? mem_strndup(folders.data + 1, folders.length - 2) : NULL;
}
