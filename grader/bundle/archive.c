/* See archive.h. libzip packs and renames; here are the names, the modes and the order. Every file
 * has one date, because what is in it does not depend on when it was packed. */
#include "grader/bundle/archive.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zip.h>

enum {
    MOST_FILE_BYTES = 64 << 20,
    DEEPEST_FOLDER = 16,
    DOS_DATE = 1 << 5 | 1, /* 1980-01-01, the first that a zip file can say */
};

struct archive {
    zip_t *zip;
    char *path;
    size_t files, bytes;
};

enum status archive_open(const char *path, struct archive **archive, struct error *error) {
    int code;
    zip_t *zip = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, &code);
    if (!zip) {
        zip_error_t problem;
        zip_error_init_with_code(&problem, code);
        error_set(error, STATUS_ENVIRONMENT, "cannot write %s: %s", path,
                  zip_error_strerror(&problem));
        zip_error_fini(&problem);
        return STATUS_ENVIRONMENT;
    }
    *archive = mem_zalloc(sizeof **archive);
    **archive = (struct archive){.zip = zip, .path = mem_strdup(path)};
    return STATUS_OK;
}

static enum status refuse(struct archive *archive, const char *name, struct error *error) {
    return error_set(error, STATUS_ENVIRONMENT, "cannot put %s into %s: %s", name, archive->path,
                     zip_strerror(archive->zip));
}

enum status archive_add(struct archive *archive, const char *name, const void *data, size_t length,
                        bool executable, struct error *error) {
    mode_t mode = S_IFREG | (executable ? 0755 : 0644);
    zip_source_t *source =
        zip_source_buffer(archive->zip, length ? mem_dup(data, length) : NULL, length, true);
    if (!source)
        return refuse(archive, name, error);
    zip_int64_t index = zip_file_add(archive->zip, name, source, ZIP_FL_ENC_UTF_8);
    if (index < 0) {
        zip_source_free(source);
        return refuse(archive, name, error);
    }
    if (zip_file_set_external_attributes(archive->zip, (zip_uint64_t)index, 0, ZIP_OPSYS_UNIX,
                                         (zip_uint32_t)mode << 16) != 0 ||
        zip_file_set_dostime(archive->zip, (zip_uint64_t)index, 0, DOS_DATE, 0) != 0)
        return refuse(archive, name, error);
    archive->files++;
    archive->bytes += length;
    return STATUS_OK;
}

enum status archive_add_file(struct archive *archive, const char *name, const char *path,
                             struct error *error) {
    cleanup_free char *data = NULL;
    size_t length;
    struct stat info;
    enum status status = file_read(path, MOST_FILE_BYTES, &data, &length, error);
    if (status != STATUS_OK)
        return status;
    bool executable = stat(path, &info) == 0 && (info.st_mode & S_IXUSR);
    return archive_add(archive, name, data, length, executable, error);
}

static int is_visible(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

static enum status add_entry(struct archive *archive, const char *name, const char *path,
                             unsigned depth, struct error *error);

static enum status add_folder(struct archive *archive, const char *name, const char *path,
                              unsigned depth, struct error *error) {
    struct dirent **entries;
    int count = depth ? scandir(path, &entries, is_visible, alphasort) : -1;
    if (count < 0)
        return error_set(error, STATUS_ENVIRONMENT, "cannot read the folder %s: %s", path,
                         depth ? strerror(errno) : "it nests too deep");
    enum status status = STATUS_OK;
    for (int i = 0; i < count; i++) {
        cleanup_free char *inner = file_join(name, entries[i]->d_name);
        cleanup_free char *inner_path = file_join(path, entries[i]->d_name);
        if (status == STATUS_OK)
            status = add_entry(archive, inner, inner_path, depth - 1, error);
        free(entries[i]);
    }
    free(entries);
    return status;
}

static enum status add_entry(struct archive *archive, const char *name, const char *path,
                             unsigned depth, struct error *error) {
    struct stat info;
    if (lstat(path, &info) != 0)
        return error_set(error, STATUS_ENVIRONMENT, "cannot read %s: %s", path, strerror(errno));
    if (S_ISDIR(info.st_mode))
        return add_folder(archive, name, path, depth, error);
    return S_ISREG(info.st_mode) ? archive_add_file(archive, name, path, error) : STATUS_OK;
}

enum status archive_add_folder(struct archive *archive, const char *name, const char *path,
                               struct error *error) {
    return add_folder(archive, name, path, DEEPEST_FOLDER, error);
}

static void release(struct archive *archive) {
    free(archive->path);
    free(archive);
}

enum status archive_close(struct archive *archive, size_t *files, size_t *bytes,
                          struct error *error) {
    enum status status = STATUS_OK;
    *files = archive->files;
    *bytes = archive->bytes;
    if (zip_close(archive->zip) != 0) {
        status = error_set(error, STATUS_ENVIRONMENT, "cannot write %s: %s", archive->path,
                           zip_strerror(archive->zip));
        zip_discard(archive->zip);
    }
    release(archive);
    return status;
}

void archive_discard(struct archive *archive) {
    if (!archive)
        return;
    zip_discard(archive->zip);
    release(archive);
}
