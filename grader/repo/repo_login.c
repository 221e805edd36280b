/* Credentials for https, and what must never be shown of them.
 *
 * A token comes from the environment: WARPGRADE_GIT_TOKEN_<HOST> (capitals; every other character
 * than a letter or digit is _), or WARPGRADE_GIT_TOKEN for the one host that WARPGRADE_GIT_HOST
 * names. A token that went to every host of a roster would go to any server that a student names.
 * No credential helper is run and no ~/.netrc is read. It is offered once, over a connection whose
 * certificate names the location's own host: a redirect elsewhere ends before a request is sent. */
#include "grader/repo/repo_private.h"

#include "sandbox/base/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const token_variable = "WARPGRADE_GIT_TOKEN";

/* The host of a URL, without user and port. */
static char *host_of(const char *url) {
    const char *scheme = strstr(url, "://");
    const char *authority = scheme ? scheme + 3 : url;
    size_t length = strcspn(authority, "/?#");
    const char *at = memrchr(authority, '@', length);
    const char *host = at ? at + 1 : authority;
    const char *end = authority + length;
    if (*host == '[') {
        const char *close = memchr(host, ']', (size_t)(end - host));
        return close ? mem_strndup(host + 1, (size_t)(close - host - 1)) : mem_strdup("");
    }
    const char *colon = memchr(host, ':', (size_t)(end - host));
    return mem_strndup(host, (size_t)((colon ? colon : end) - host));
}

void repo_login_for(const char *url, struct repo_login *login) {
    *login = (struct repo_login){.host = host_of(url)};
    cleanup_free char *secret = repo_find_secret(url);
    login->url_has_secret = secret != NULL;
    login->variable = mem_printf("%s_%s", token_variable, login->host);
    for (char *letter = login->variable + strlen(token_variable); *letter; letter++)
        *letter = isalnum((unsigned char)*letter) ? (char)toupper((unsigned char)*letter) : '_';
    login->token = getenv(login->variable);
    const char *general_host = getenv("WARPGRADE_GIT_HOST");
    if (!login->token && general_host && strcasecmp(general_host, login->host) == 0)
        login->token = getenv(token_variable);
    if (login->token && !*login->token)
        login->token = NULL;
}

void repo_login_free(struct repo_login *login) {
    free(login->host);
    free(login->variable);
    free(login->redirected);
}

int repo_login_offer(git_credential **out, const char *url, const char *user, unsigned allowed,
                     struct repo_login *login) {
    (void)url; /* the location's own, also after a redirect: repo_login_certificate() looks */
    if (login->token && !login->url_has_secret && !login->offered &&
        (allowed & GIT_CREDENTIAL_USERPASS_PLAINTEXT)) {
        login->offered = true;
        return git_credential_userpass_plaintext_new(out, user && *user ? user : "x-access-token",
                                                     login->token);
    }
    login->refused = true;
    return GIT_EUSER;
}

int repo_login_certificate(int valid, const char *host, struct repo_login *login) {
    if (strcasecmp(host, login->host) != 0) {
        free(login->redirected);
        login->redirected = mem_strdup(host);
        return GIT_EUSER;
    }
    login->untrusted = !valid;
    return valid ? 0 : GIT_ECERTIFICATE;
}

static enum status describe_refusal(const struct repo_login *login, struct error *error) {
    if (login->url_has_secret)
        return error_set(error, STATUS_INVALID, "%s refused the password, or token, in the URL",
                         login->host);
    if (login->offered) {
        enum status status = error_set(error, STATUS_INVALID,
                                       "%s refused the token of the environment", login->host);
        error_hint(error, "is it still valid, and may it read this repository?");
        return status;
    }
    enum status status = error_set(error, STATUS_INVALID, "%s wants a login", login->host);
    if (getenv(token_variable) && !getenv("WARPGRADE_GIT_HOST"))
        error_hint(error,
                   "%s is set, but not for which host: name it in WARPGRADE_GIT_HOST, or set %s",
                   token_variable, login->variable);
    else
        error_hint(error, "private repositories: a token in %s, or ssh:// with a key",
                   login->variable);
    return status;
}

enum status repo_login_error(const struct repo_login *login, struct error *error) {
    if (login->redirected && repo_name_is_clean(login->redirected)) {
        enum status status = error_set(error, STATUS_INVALID, "%s redirects to another host, %s",
                                       login->host, login->redirected);
        error_hint(error, "nothing is sent there; write the address it redirects to, if it is the "
                          "right one");
        return status;
    }
    if (login->untrusted) {
        enum status status =
            error_set(error, STATUS_INVALID, "the certificate of %s is not trusted", login->host);
        error_hint(error, "an institution's own certificates are read from the file that "
                          "GIT_SSL_CAINFO names");
        return status;
    }
    return login->refused ? describe_refusal(login, error) : STATUS_OK;
}

enum status repo_login_trust(const char *ca_file, struct error *error) {
    const char *file = ca_file ? ca_file : getenv("GIT_SSL_CAINFO");
    if (!file || !*file)
        file = getenv("SSL_CERT_FILE");
    if (!file || !*file)
        return STATUS_OK;
    if (access(file, R_OK) == 0 &&
        git_libgit2_opts(GIT_OPT_SET_SSL_CERT_LOCATIONS, file, NULL) == 0)
        return STATUS_OK;
    return error_set(error, STATUS_ENVIRONMENT, "the certificates of %s cannot be read", file);
}

/* ---- what is never shown ------------------------------------------------------------------ */

static void add_secret(struct repo_secrets *secrets, char *secret) {
    if (secret && *secret && secrets->count < REPO_MAX_SECRETS)
        secrets->values[secrets->count++] = secret;
    else
        free(secret);
}

/* So that no part of a longer one stays. */
static int longer_first(const void *left, const void *right) {
    size_t a = strlen(*(char *const *)left), b = strlen(*(char *const *)right);
    return (a < b) - (a > b);
}

static bool is_token(const char *variable) {
    return strncmp(variable, token_variable, strlen(token_variable)) == 0;
}

void repo_secrets_of(const char *location, struct repo_secrets *secrets) {
    char *secret = repo_find_secret(location);
    add_secret(secrets, secret ? repo_percent_decoded(secret) : NULL);
    add_secret(secrets, secret);
    for (char **variable = environ; *variable; variable++) {
        const char *value = strchr(*variable, '=');
        if (value && is_token(*variable))
            add_secret(secrets, mem_strdup(value + 1));
    }
    qsort(secrets->values, secrets->count, sizeof secrets->values[0], longer_first);
}

char *repo_secrets_hide(const struct repo_secrets *secrets, const char *string) {
    char *clean = mem_strdup(string);
    for (size_t i = 0; i < secrets->count; i++) {
        char *next = repo_without_secret(clean, secrets->values[i]);
        free(clean);
        clean = next;
    }
    return clean;
}

void repo_secrets_free(struct repo_secrets *secrets) {
    while (secrets->count) {
        char *value = secrets->values[--secrets->count];
        explicit_bzero(value, strlen(value));
        free(value);
    }
}

void repo_secrets_leave_environment(void) {
    for (char **variable = environ; *variable;) {
        cleanup_free char *name = mem_strndup(*variable, strcspn(*variable, "="));
        if (is_token(name))
            unsetenv(name); /* moves the rest down */
        else
            variable++;
    }
}

char **repo_environment_without_tokens(void) {
    char **kept = NULL;
    size_t count = 0, capacity = 0;
    for (char **variable = environ; *variable; variable++)
        if (!is_token(*variable))
            *mem_push(&kept, &count, &capacity) = *variable;
    *mem_push(&kept, &count, &capacity) = NULL;
    return kept;
}
