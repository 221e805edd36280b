/* ssh:// through the ssh program, as git does it: libgit2's own client (libssh2) lacks what today's
 * servers ask for (RSA keys with SHA-2), and knows nothing of ~/.ssh/config and jump hosts.
 *
 * ssh asks nothing (BatchMode) and talks to no host whose key is not known. It dies with the child
 * that started it, and what it writes to standard error becomes the message. Host, user and path
 * come from a roster: none of them can be an option, and the path is quoted for the remote shell.
 */
#include "grader/repo/repo_private.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <git2/sys/transport.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* One connection: libgit2's stream, with the program at its other end. */
struct connection {
    git_smart_subtransport_stream stream; /* first: libgit2 hands it back */
    pid_t pid;
    int input, output; /* ours: what is written reaches ssh */
    const struct repo_ssh *settings;
};

struct subtransport {
    git_smart_subtransport base; /* first */
    struct connection *connection;
    const struct repo_ssh *settings;
};

/* ---- the address -------------------------------------------------------------------------- */

struct address {
    char *user, *host, *port, *path; /* user and port may be NULL */
};

static void address_free(struct address *address) {
    free(address->user);
    free(address->host);
    free(address->port);
    free(address->path);
}

static bool is_plain(const char *word, const char *also) {
    if (!word)
        return true;
    size_t good = 0;
    while (word[good] &&
           (strchr(also, word[good]) ||
            strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", word[good])))
        good++;
    return *word && *word != '-' && word[good] == '\0';
}

/* ssh://[user@]host[:port]/path; a password before @ is dropped, ssh would not take it. */
static bool parse_address(const char *url, struct address *address) {
    const char *authority = url + strlen("ssh://");
    size_t length = strcspn(authority, "/");
    const char *end = authority + length, *at = memrchr(authority, '@', length);
    const char *host = at ? at + 1 : authority, *host_end = end, *port = NULL;
    if (*host == '[') {
        host_end = memchr(host, ']', (size_t)(end - host));
        if (!host_end)
            return false;
        port = host_end[1] == ':' ? host_end + 2 : NULL;
        host++;
    } else if ((port = memchr(host, ':', (size_t)(end - host)))) {
        host_end = port++;
    }
    if (at)
        address->user = mem_strndup(authority, strcspn(authority, ":@"));
    address->host = mem_strndup(host, (size_t)(host_end - host));
    address->port = port && port < end ? mem_strndup(port, (size_t)(end - port)) : NULL;
    address->path = repo_percent_decoded(strncmp(end, "/~", 2) == 0 ? end + 1 : end);
    return is_plain(address->host, ".-_:%") && is_plain(address->user, ".-_+") &&
           is_plain(address->port, "") && *address->path && address->path[1];
}

/* For the shell at the other end. */
static char *quoted_command(const char *path) {
    struct text out = {0};
    text_append(&out, "git-upload-pack '");
    for (; *path; path++) {
        if (*path == '\'' || *path == '!') /* csh expands ! even there */
            text_printf(&out, "'\\%c'", *path);
        else
            text_append_char(&out, *path);
    }
    text_append(&out, "'");
    return text_steal(&out);
}

/* ---- the program -------------------------------------------------------------------------- */

/* In ssh's options % begins a variable. */
static char *without_variables(const char *path) {
    struct text out = {0};
    for (; *path; path++)
        text_append(&out, *path == '%' ? "%%" : (const char[]){*path, '\0'});
    return text_steal(&out);
}

static _Noreturn void run_ssh(const struct repo_ssh *settings, const struct address *address,
                              const char *command, int input, int output) {
    const char *arguments[32];
    size_t count = 0;
    cleanup_free char *hosts =
        settings->known_hosts ? without_variables(settings->known_hosts) : NULL;
    cleanup_free char *key = settings->key ? without_variables(settings->key) : NULL;
    cleanup_free char *known = hosts ? mem_printf("-oUserKnownHostsFile=\"%s\"", hosts) : NULL;
    const char *const fixed[] = {"ssh",
                                 "-T",
                                 "-x",
                                 "-a",
                                 "-oBatchMode=yes",
                                 "-oStrictHostKeyChecking=yes",
                                 "-oUpdateHostKeys=no",
                                 "-oControlPath=none",
                                 "-oPermitLocalCommand=no"};
    for (size_t i = 0; i < ARRAY_LENGTH(fixed); i++)
        arguments[count++] = fixed[i];
    if (known) {
        arguments[count++] = known;
        arguments[count++] = "-oGlobalKnownHostsFile=/dev/null";
    }
    if (key) {
        arguments[count++] = "-oIdentitiesOnly=yes";
        arguments[count++] = "-i";
        arguments[count++] = key;
    }
    if (address->port) {
        arguments[count++] = "-p";
        arguments[count++] = address->port;
    }
    if (address->user) {
        arguments[count++] = "-l";
        arguments[count++] = address->user;
    }
    arguments[count++] = "--";
    arguments[count++] = address->host;
    arguments[count++] = command;
    arguments[count] = NULL;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGPIPE, SIG_DFL);
    repo_secrets_leave_environment();
    unsetenv("GIT_PROTOCOL");
    setenv("LC_ALL", "C", 1); /* its messages are looked for below */
    if (dup2(input, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0 &&
        dup2(settings->messages, STDERR_FILENO) >= 0)
        execvp("ssh", (char *const *)(uintptr_t)arguments);
    static const char missing[] = "there is no ssh program here (openssh-client has it)\n";
    file_write_all(settings->messages, missing, sizeof missing - 1);
    _exit(127);
}

static int start_ssh(struct connection *connection, const struct address *address) {
    cleanup_free char *command = quoted_command(address->path);
    int to[2], from[2];
    if (pipe2(to, O_CLOEXEC) != 0)
        return -1;
    if (pipe2(from, O_CLOEXEC) != 0) {
        close(to[0]);
        close(to[1]);
        return -1;
    }
    connection->pid = fork();
    if (connection->pid == 0)
        run_ssh(connection->settings, address, command, to[0], from[1]);
    close(to[0]);
    close(from[1]);
    connection->input = to[1];
    connection->output = from[0];
    return connection->pid > 0 ? 0 : -1;
}

/* ---- libgit2's interface ------------------------------------------------------------------ */

static int read_stream(git_smart_subtransport_stream *stream, char *buffer, size_t capacity,
                       size_t *length) {
    struct connection *connection = (struct connection *)stream;
    ssize_t got;
    do
        got = read(connection->output, buffer, capacity);
    while (got < 0 && errno == EINTR);
    *length = got > 0 ? (size_t)got : 0;
    if (got <= 0)
        git_error_set_str(GIT_ERROR_SSH, "the connection ended");
    return got > 0 ? 0 : -1;
}

static int write_stream(git_smart_subtransport_stream *stream, const char *data, size_t length) {
    struct connection *connection = (struct connection *)stream;
    while (length) {
        ssize_t put = write(connection->input, data, length);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0) {
            git_error_set_str(GIT_ERROR_SSH, "the connection ended");
            return -1;
        }
        data += put;
        length -= (size_t)put;
    }
    return 0;
}

static void free_stream(git_smart_subtransport_stream *stream) {
    struct connection *connection = (struct connection *)stream;
    struct subtransport *owner = (struct subtransport *)stream->subtransport;
    if (owner->connection == connection)
        owner->connection = NULL;
    close(connection->input);
    close(connection->output);
    kill(connection->pid, SIGTERM);
    while (waitpid(connection->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    free(connection);
}

static int open_stream(git_smart_subtransport_stream **out, git_smart_subtransport *base,
                       const char *url, git_smart_service_t service) {
    struct subtransport *transport = (struct subtransport *)base;
    if (service == GIT_SERVICE_UPLOADPACK && transport->connection) {
        *out = &transport->connection->stream; /* the same conversation goes on */
        return 0;
    }
    struct address address = {0};
    int code = -1;
    if (service != GIT_SERVICE_UPLOADPACK_LS) {
        git_error_set_str(GIT_ERROR_SSH, "only fetching is possible");
    } else if (!parse_address(url, &address)) {
        git_error_set_str(GIT_ERROR_SSH, "the address is not ssh://user@host:port/path");
    } else {
        struct connection *connection = mem_zalloc(sizeof *connection);
        connection->settings = transport->settings;
        connection->stream = (git_smart_subtransport_stream){
            .subtransport = base, .read = read_stream, .write = write_stream, .free = free_stream};
        code = start_ssh(connection, &address);
        if (code != 0) {
            git_error_set_str(GIT_ERROR_SSH, "ssh cannot be started");
            free(connection);
        } else {
            transport->connection = connection;
            *out = &connection->stream;
        }
    }
    address_free(&address);
    return code;
}

static int close_transport(git_smart_subtransport *base) {
    struct subtransport *transport = (struct subtransport *)base;
    if (transport->connection)
        free_stream(&transport->connection->stream);
    return 0;
}

static void free_transport(git_smart_subtransport *base) {
    free(base);
}

static int make_subtransport(git_smart_subtransport **out, git_transport *owner, void *payload) {
    (void)owner;
    struct subtransport *transport = mem_zalloc(sizeof *transport);
    transport->base = (git_smart_subtransport){
        .action = open_stream, .close = close_transport, .free = free_transport};
    transport->settings = payload;
    *out = &transport->base;
    return 0;
}

int repo_ssh_transport(git_transport **out, git_remote *owner, void *settings) {
    git_smart_subtransport_definition definition = {make_subtransport, 0, settings};
    return git_transport_smart(out, owner, &definition);
}

/* ---- messages ----------------------------------------------------------------------------- */

/* The last line that says something. */
static char *last_line(char *text) {
    char *last = NULL, *rest = text;
    for (char *line; (line = strsep(&rest, "\r\n"));)
        if (*line)
            last = line;
    return last;
}

enum status repo_ssh_error(const struct repo_ssh *settings, struct error *error) {
    char text[8192];
    ssize_t length = pread(settings->messages, text, sizeof text - 1, 0);
    text[length > 0 ? length : 0] = '\0';
    static const struct {
        const char *said, *message, *hint;
    } known[] = {
        {"HOST IDENTIFICATION HAS CHANGED", "the server's host key is not the one that is known",
         "it is another server, or it was set up anew: only when its owner confirms the new key, "
         "remove the old one with ssh-keygen -R"},
        {"host key is known for", "the server's host key is not known",
         "compare its fingerprint with the one its owner publishes, then add it to known_hosts: "
         "ssh-keyscan HOST"},
        {"Host key verification failed", "the server's host key is not known", ""},
        {"Permission denied", "the server accepts none of our keys",
         "load the key into ssh-agent, or name its file in the course; a key with a passphrase "
         "works through the agent only"},
        {"Could not resolve hostname", "the server's name cannot be resolved", ""},
        {"UNPROTECTED PRIVATE KEY", "ssh does not use a key that others can read",
         "chmod 600 the key's file"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(known); i++)
        if (strstr(text, known[i].said)) {
            error_set(error, STATUS_INVALID, "%s", known[i].message);
            error_hint(error, "%s", known[i].hint);
            return STATUS_INVALID;
        }
    const char *line = last_line(text);
    if (line && repo_name_is_clean(line))
        return error_set(error, STATUS_INVALID, "the repository cannot be fetched: ssh: %.200s",
                         line);
    return STATUS_OK;
}
