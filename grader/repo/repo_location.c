/* Where a repository is: kinds of locations, what is shown of them, and paths inside repositories.
 *
 * A URL may carry a password; what is shown never does. */
#include "grader/repo/repo_private.h"

#include "reports/escape.h"
#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"
#include "sandbox/base/text.h"

#include <stdlib.h>
#include <string.h>

bool repo_has_scheme(const char *location) {
    return strstr(location, "://") != NULL;
}

char *repo_resolve_location(const char *directory, const char *location) {
    return repo_has_scheme(location) ? mem_strdup(location) : file_join(directory, location);
}

/* The password between "user:" and "@" in the authority, or the whole user part without a colon
 * where it can only be a token (https); NULL: none. */
char *repo_find_secret(const char *location) {
    const char *scheme = strstr(location, "://");
    if (!scheme)
        return NULL;
    const char *authority = scheme + 3;
    size_t length = strcspn(authority, "/?#");
    const char *at = memrchr(authority, '@', length);
    if (!at)
        return NULL;
    const char *colon = memchr(authority, ':', (size_t)(at - authority));
    if (!colon && strncmp(location, "https", 5) != 0)
        return NULL;
    const char *start = colon ? colon + 1 : authority;
    return at > start ? mem_strndup(start, (size_t)(at - start)) : NULL;
}

/* Replaces each occurrence of the secret; it can only get shorter when the secret is longer. */
char *repo_without_secret(const char *string, const char *secret) {
    struct text out = {0};
    const char *hit;
    while (secret && (hit = strstr(string, secret))) {
        text_append_bytes(&out, string, (size_t)(hit - string));
        text_append(&out, "***");
        string = hit + strlen(secret);
    }
    text_append(&out, string);
    return text_steal(&out);
}

char *repo_display_location(const char *location) {
    cleanup_free char *secret = repo_find_secret(location);
    return repo_without_secret(location, secret);
}

static int hex_digit(char character) {
    if (character >= '0' && character <= '9')
        return character - '0';
    character = (char)(character | 0x20);
    return character >= 'a' && character <= 'f' ? character - 'a' + 10 : -1;
}

char *repo_percent_decoded(const char *string) {
    struct text out = {0};
    for (; *string; string++) {
        int high = *string == '%' ? hex_digit(string[1]) : -1;
        int low = high >= 0 ? hex_digit(string[2]) : -1;
        bool escaped = low >= 0 && high + low > 0;
        text_append_char(&out, escaped ? (char)(high * 16 + low) : *string);
        string += escaped ? 2 : 0;
    }
    return text_steal(&out);
}

/* RFC 8089: file:///path or file://localhost/path, percent-encoded. */
static enum status file_url_path(const char *url, char **path, struct error *error) {
    const char *rest = url + strlen("file://");
    if (strncmp(rest, "localhost/", 10) == 0)
        rest += 9;
    if (*rest != '/')
        return error_set(error, STATUS_INVALID, "%s names a host: file:///folder is expected", url);
    struct text out = {0};
    for (; *rest; rest++) {
        int high = *rest == '%' ? hex_digit(rest[1]) : -1;
        int low = high >= 0 ? hex_digit(rest[2]) : -1;
        if (*rest == '%' && (low < 0 || (high == 0 && low == 0))) {
            text_free(&out);
            return error_set(error, STATUS_INVALID, "%s has a wrong %%-escape", url);
        }
        text_append_char(&out, low < 0 ? *rest : (char)(high * 16 + low));
        rest += low < 0 ? 0 : 2;
    }
    *path = text_steal(&out);
    return STATUS_OK;
}

enum status repo_location_parse(const char *location, enum repo_scheme *scheme, char **path,
                                struct error *error) {
    *path = NULL;
    if (!repo_has_scheme(location)) {
        *scheme = REPO_SCHEME_PATH;
        *path = mem_strdup(location);
        return STATUS_OK;
    }
    if (strncmp(location, "file://", 7) == 0) {
        *scheme = REPO_SCHEME_FILE;
        return file_url_path(location, path, error);
    }
    *scheme = REPO_SCHEME_NETWORK;
    if (strncmp(location, "https://", 8) == 0 || strncmp(location, "ssh://", 6) == 0)
        return STATUS_OK;
    cleanup_free char *shown = repo_display_location(location);
    enum status status =
        error_set(error, STATUS_INVALID, "%s: this kind of URL is not read", shown);
    error_hint(error, "https://, ssh:// and file:// are, and paths; http:// and git:// do not "
                      "prove whose repository it is");
    return status;
}

bool repo_name_is_clean(const char *name) {
    cleanup_text struct text shown = {0};
    escape_terminal(&shown, name, strlen(name), true);
    return strcmp(text_string(&shown), name) == 0 && !strchr(name, '\t');
}

const char *repo_path_problem(const char *path) {
    if (*path == '\0')
        return "it is empty";
    if (strlen(path) >= REPO_MAX_PATH)
        return "it is too long";
    if (*path == '/')
        return "it must be relative to the repository's root";
    if (!repo_name_is_clean(path))
        return "it holds control characters or is not UTF-8";
    for (const char *part = path;; part++) {
        size_t length = strcspn(part, "/");
        if (length == 0)
            return "it has an empty part";
        if ((length == 1 && part[0] == '.') || (length == 2 && strncmp(part, "..", 2) == 0))
            return "\".\" and \"..\" mean nothing inside a repository";
        if (length == 4 && strncasecmp(part, ".git", 4) == 0)
            return ".git is not part of a repository's content";
        part += length;
        if (*part == '\0')
            return NULL;
    }
}
