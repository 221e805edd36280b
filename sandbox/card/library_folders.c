/* Where a program looks for the libraries that it is linked with: the folders of its dynamic
 * section (DT_RPATH, DT_RUNPATH), in which $ORIGIN is the folder that it stands in.
 *
 * The file is a stranger's: whatever lies outside of it, or does not end in it, names no folder. */
#include "sandbox/card/library_folders.h"

#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <elf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { SEGMENTS_MAX = 128, TAGS_MAX = 1024, FOLDERS_MAX = 256 };

struct elf {
    const char *bytes;
    size_t length;
    Elf64_Phdr segments[SEGMENTS_MAX];
    size_t segment_count;
};

static bool take(const struct elf *elf, uint64_t at, void *to, size_t bytes) {
    if (at > elf->length || bytes > elf->length - at)
        return false;
    memcpy(to, elf->bytes + at, bytes);
    return true;
}

static bool read_segments(struct elf *elf) {
    Elf64_Ehdr head;
    if (!take(elf, 0, &head, sizeof head) || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
        head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_phentsize != sizeof(Elf64_Phdr) ||
        head.e_phnum > SEGMENTS_MAX)
        return false;
    elf->segment_count = head.e_phnum;
    return take(elf, head.e_phoff, elf->segments, head.e_phnum * sizeof(Elf64_Phdr));
}

/* Where in the file an address of memory is; UINT64_MAX: nowhere. */
static uint64_t place_of(const struct elf *elf, uint64_t address) {
    for (size_t i = 0; i < elf->segment_count; i++) {
        const Elf64_Phdr *segment = &elf->segments[i];
        if (segment->p_type == PT_LOAD && address >= segment->p_vaddr &&
            address - segment->p_vaddr < segment->p_filesz)
            return segment->p_offset + (address - segment->p_vaddr);
    }
    return UINT64_MAX;
}

/* The list as it stands there; NULL: there is none. */
static const char *find_list(const struct elf *elf) {
    const Elf64_Phdr *dynamic = NULL;
    for (size_t i = 0; i < elf->segment_count && !dynamic; i++)
        if (elf->segments[i].p_type == PT_DYNAMIC)
            dynamic = &elf->segments[i];
    uint64_t strings = UINT64_MAX, list = UINT64_MAX;
    Elf64_Dyn tag;
    for (uint64_t i = 0;
         dynamic && i < TAGS_MAX && take(elf, dynamic->p_offset + i * sizeof tag, &tag, sizeof tag);
         i++) {
        if (tag.d_tag == DT_NULL)
            break;
        if (tag.d_tag == DT_STRTAB)
            strings = place_of(elf, tag.d_un.d_ptr);
        if (tag.d_tag == DT_RUNPATH || (tag.d_tag == DT_RPATH && list == UINT64_MAX))
            list = tag.d_un.d_val;
    }
    if (strings >= elf->length || list >= elf->length - strings)
        return NULL;
    const char *text = elf->bytes + strings + list;
    return memchr(text, '\0', elf->length - strings - list) ? text : NULL;
}

static void add(struct library_folders *folders, const char *path) {
    if (folders->count == FOLDERS_MAX)
        return;
    for (size_t i = 0; i < folders->count; i++)
        if (strcmp(folders->paths[i], path) == 0)
            return;
    *mem_push(&folders->paths, &folders->count, &folders->capacity) = mem_strdup(path);
}

static void add_word(struct library_folders *folders, const char *word, size_t length,
                     const char *home) {
    static const char *const origins[] = {"$ORIGIN", "${ORIGIN}"};
    cleanup_free char *path = mem_strndup(word, length);
    for (size_t i = 0; i < ARRAY_LENGTH(origins); i++) {
        size_t begins = strlen(origins[i]);
        if (strncmp(path, origins[i], begins) == 0 && (path[begins] == '/' || !path[begins])) {
            cleanup_free char *resolved = mem_printf("%s%s", home, path + begins);
            add(folders, resolved);
            return;
        }
    }
    /* The system's are seen by every program. */
    if (*path == '/' && strncmp(path, "/usr/", 5) != 0 && strncmp(path, "/lib", 4) != 0)
        add(folders, path);
}

static bool is_below(const char *path, const char *folder) {
    size_t length = folder ? strlen(folder) : 0;
    return folder && strncmp(path, folder, length) == 0 && (path[length] == '/' || !path[length]);
}

/* A stranger's file does not choose what it is shown. */
static void drop_elsewhere(struct library_folders *folders, size_t first) {
    size_t kept = first;
    for (size_t i = first; i < folders->count; i++) {
        char resolved[PATH_MAX];
        char *path = folders->paths[i];
        bool keeps = realpath(path, resolved) && (is_below(resolved, folders->below[0]) ||
                                                  is_below(resolved, folders->below[1]));
        if (keeps)
            folders->paths[kept++] = path;
        else
            free(path);
    }
    folders->count = kept;
}

void library_folders_add_list(struct library_folders *folders, const char *list, const char *home) {
    for (const char *at = list; *at;) {
        size_t length = strcspn(at, ":");
        add_word(folders, at, length, home);
        at += length + (at[length] == ':');
    }
}

void library_folders_add(struct library_folders *folders, const char *program, size_t length,
                         const char *home) {
    struct elf elf = {.bytes = program, .length = length};
    const char *list = read_segments(&elf) ? find_list(&elf) : NULL;
    add(folders, home);
    size_t first = folders->count;
    if (list)
        library_folders_add_list(folders, list, home);
    drop_elsewhere(folders, first);
}

void library_folders_free(struct library_folders *folders) {
    for (size_t i = 0; i < folders->count; i++)
        free(folders->paths[i]);
    free(folders->paths);
    *folders = (struct library_folders){0};
}
