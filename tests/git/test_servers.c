/* Fetches from a real sshd and from a real https server, both started here as this user.
 *
 * Exit code 77 with the reason where a program is missing. Nothing of this user's home is read:
 * keys, host keys and certificates are made in a temporary folder and named in the requests. Only
 * with the agent does ssh look for keys there, which this server does not know. */
#include "tests/source_folder.h"
#include "tests/support/git_fixture.h"

#include "grader/repo/repo.h"
#include "sandbox/base/clock.h"
#include "sandbox/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

static const char *const token = "geheim-4711-token";
static char *folder;
static pid_t sshd, https;
static unsigned ssh_port;
static char https_port[16];

static const char *in_folder(const char *name) {
    static char paths[16][512];
    static unsigned turn;
    char *path = paths[turn++ % 16];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void write_file(const char *name, const char *content) {
    assert_int_equal(file_write(in_folder(name), content, strlen(content), NULL), STATUS_OK);
}

/* Runs a command of the shell in the folder; its output goes to the file `log`. */
static bool shell(const char *command) {
    char *line = mem_printf("cd %s && { %s; } >>log 2>&1", folder, command);
    int code = system(line);
    free(line);
    return code == 0;
}

/* ---- the servers -------------------------------------------------------------------------- */

static unsigned free_port(void) {
    int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t length = sizeof address;
    bind(server, (struct sockaddr *)&address, sizeof address);
    getsockname(server, (struct sockaddr *)&address, &length);
    close(server);
    return ntohs(address.sin_port);
}

static bool answers(unsigned port) {
    int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr = {htonl(INADDR_LOOPBACK)},
                                  .sin_port = htons((uint16_t)port)};
    bool good = connect(client, (struct sockaddr *)&address, sizeof address) == 0;
    close(client);
    return good;
}

static pid_t start(const char *const *arguments) {
    pid_t pid = fork();
    if (pid != 0)
        return pid;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    int log = open(in_folder("log"), O_WRONLY | O_CREAT | O_APPEND, 0600);
    dup2(log, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
    execvp(arguments[0], (char *const *)(uintptr_t)arguments);
    _exit(127);
}

static void start_sshd(const char *program) {
    assert_true(shell("ssh-keygen -q -t ed25519 -N '' -C host -f host_key && "
                      "ssh-keygen -q -t ed25519 -N '' -C other -f other_host_key && "
                      "ssh-keygen -q -t ed25519 -N '' -C ada -f key && "
                      "ssh-keygen -q -t ed25519 -N '' -C eve -f stranger && "
                      "(printf 'restrict '; cat key.pub) >authorized_keys"));
    ssh_port = free_port();
    char *config = mem_printf("Port %u\nListenAddress 127.0.0.1\nHostKey %s\nPidFile none\n"
                              "AuthorizedKeysFile %s\nStrictModes no\nPasswordAuthentication no\n"
                              "KbdInteractiveAuthentication no\nPermitRootLogin yes\n"
                              "SetEnv SHLVL=3\n" /* else bash reads the user's ~/.bashrc */,
                              ssh_port, in_folder("host_key"), in_folder("authorized_keys"));
    write_file("sshd_config", config);
    free(config);
    const char *const arguments[] = {program, "-D", "-e", "-f", in_folder("sshd_config"), NULL};
    sshd = start(arguments);
    assert_true(shell("for key in host other_host; do printf '[127.0.0.1]:'"
                      " && awk '$1 == \"Port\" { printf $2 \" \" }' sshd_config &&"
                      " cat ${key}_key.pub; done >both && head -1 both >known_hosts &&"
                      " tail -1 both >wrong_hosts"));
    for (unsigned i = 0; i < 300 && !answers(ssh_port); i++)
        nanosleep(&(struct timespec){0, 10000000}, NULL);
}

static void start_https(void) {
    assert_true(
        shell("openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes "
              "-days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.9 "
              "-keyout tls.key -out tls.crt && cat tls.key tls.crt >tls.pem"));
    write_file("served/token", token);
    const char *const arguments[] = {"python3",
                                     WARPGRADE_SOURCE_DIR "/tests/git/https_server.py",
                                     in_folder("served"),
                                     in_folder("tls.pem"),
                                     in_folder("requests"),
                                     in_folder("port"),
                                     NULL};
    https = start(arguments);
    for (unsigned i = 0; i < 1000 && !file_exists(in_folder("port")); i++)
        nanosleep(&(struct timespec){0, 10000000}, NULL);
    char *port;
    size_t length;
    assert_int_equal(file_read(in_folder("port"), 15, &port, &length, NULL), STATUS_OK);
    snprintf(https_port, sizeof https_port, "%s", port);
    free(port);
}

static void stop(pid_t pid) {
    if (pid <= 0)
        return;
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

/* ---- reading ------------------------------------------------------------------------------ */

struct outcome {
    enum status status;
    struct error error;
    struct repo_snapshot snapshot;
};

static struct repo_want want = {
    .candidates = {"dot.cu"}, .candidate_count = 1, .not_after = INT64_MAX};

static struct outcome read_from(const char *location, struct repo_request request) {
    struct outcome got = {0};
    request.location = location;
    request.wants = &want;
    request.want_count = 1;
    if (request.time_limit_seconds == 0)
        request.time_limit_seconds = 20;
    got.status = repo_read(&request, &got.snapshot, &got.error);
    /* whatever happens, no secret is in what is said */
    if (strstr(got.error.message, "geheim") || strstr(got.error.hint, "geheim"))
        fail_msg("a secret is shown: %s (%s)", got.error.message, got.error.hint);
    return got;
}

static void assert_read(const char *location, struct repo_request request, const char *content) {
    struct outcome got = read_from(location, request);
    if (got.status != STATUS_OK)
        fail_msg("%s: %s (%s)", location, got.error.message, got.error.hint);
    if (got.snapshot.files[0].state != REPO_FILE_FOUND)
        fail_msg("%s: %s", location, got.snapshot.files[0].message);
    assert_string_equal(got.snapshot.files[0].data, content);
    repo_snapshot_free(&got.snapshot);
}

static void assert_fails(const char *location, struct repo_request request, const char *message,
                         const char *hint) {
    struct outcome got = read_from(location, request);
    if (got.status != STATUS_INVALID || !strstr(got.error.message, message) ||
        !strstr(got.error.hint, hint))
        fail_msg("%s: status %d, \"%s\" and \"%s\"", location, got.status, got.error.message,
                 got.error.hint);
    repo_snapshot_free(&got.snapshot);
}

/* A commit on top of the served repository's main. */
static void push(const char *content, int64_t when) {
    git_repository *repository;
    git_oid parent;
    assert_git(git_repository_open(&repository, in_folder("served/work.git")));
    assert_git(git_reference_name_to_id(&parent, repository, "refs/heads/main"));
    git_oid tree = fixture_tree(repository, &(struct fixture_file){"dot.cu", content}, 1);
    fixture_commit_on(repository, "refs/heads/main", &tree, when, &parent, 1);
    git_repository_free(repository);
}

static int make_repository(void **state) {
    (void)state;
    fixture_remove(in_folder("served/work.git"));
    fixture_repository(in_folder("served/work.git"), true,
                       &(struct fixture_file){"dot.cu", "first\n"}, 1);
    fixture_remove(in_folder("cache"));
    unlink(in_folder("requests"));
    return 0;
}

static size_t count_requests(const char *with) {
    char *text = NULL;
    size_t length, count = 0;
    if (file_read(in_folder("requests"), 1 << 20, &text, &length, NULL) != STATUS_OK)
        return 0;
    for (const char *at = text; (at = strstr(at, with)); at++)
        count++;
    free(text);
    return count;
}

/* ---- ssh ---------------------------------------------------------------------------------- */

static char *ssh_url(void) {
    const struct passwd *me = getpwuid(geteuid());
    return mem_printf("ssh://%s@127.0.0.1:%u%s", me ? me->pw_name : "root", ssh_port,
                      in_folder("served/work.git"));
}

static struct repo_request ssh_request(const char *key, const char *known_hosts) {
    return (struct repo_request){.ssh_key = key, .known_hosts = known_hosts};
}

static void fetches_over_ssh(void **state) {
    (void)state;
    char *url = ssh_url(), *key = mem_strdup(in_folder("key"));
    char *hosts = mem_strdup(in_folder("known_hosts")), *cache = mem_strdup(in_folder("cache"));
    struct repo_request request = ssh_request(key, hosts);
    assert_read(url, request, "first\n");
    request.cache = cache;
    assert_read(url, request, "first\n");
    push("second\n", FIXTURE_TIME + 100);
    assert_read(url, request, "second\n");
    assert_read(url, request, "second\n"); /* unchanged */
    request.branch = "nowhere";
    assert_fails(url, request, "no branch nowhere", "its branches: main");
    free(url);
    free(key);
    free(hosts);
    free(cache);
}

static void ssh_says_what_is_wrong(void **state) {
    (void)state;
    char *url = ssh_url(), *key = mem_strdup(in_folder("key"));
    char *hosts = mem_strdup(in_folder("known_hosts"));
    char *stranger = mem_strdup(in_folder("stranger"));
    char *wrong = mem_strdup(in_folder("wrong_hosts"));
    assert_fails(url, ssh_request(stranger, hosts), "accepts none of our keys", "ssh-agent");
    assert_fails(url, ssh_request(key, wrong), "host key is not the one that is known",
                 "ssh-keygen -R");
    assert_fails(url, ssh_request(key, "/dev/null"), "host key is not known", "ssh-keyscan");
    char *missing = mem_printf("%s-not", url);
    assert_fails(missing, ssh_request(key, hosts), "does not appear to be a git repository", "");
    free(missing);
    char *path = mem_strdup(getenv("PATH"));
    setenv("PATH", folder, 1);
    assert_fails(url, ssh_request(key, hosts), "there is no ssh program here", "");
    setenv("PATH", path, 1);
    free(path);
    /* what a roster could try: an option in place of a host, a command in the path */
    assert_fails("ssh://-oProxyCommand=touch%20bad/x", ssh_request(key, hosts),
                 "the address is not", "");
    char *command = mem_printf("ssh://127.0.0.1:%u/x';touch %s;'", ssh_port, in_folder("bad"));
    struct outcome got = read_from(command, ssh_request(key, hosts));
    assert_int_equal(got.status, STATUS_INVALID);
    assert_false(file_exists(in_folder("bad")));
    free(command);
    free(url);
    free(key);
    free(hosts);
    free(stranger);
    free(wrong);
}

/* The key is in the agent alone: no file that ssh could read has it, with a passphrase or without.
 */
static void a_key_comes_from_the_agent(void **state) {
    (void)state;
    char *url = ssh_url(), *hosts = mem_strdup(in_folder("known_hosts"));
    const struct repo_request request = {.known_hosts = hosts};
    if (!shell("command -v ssh-agent ssh-add")) {
        print_message("skipped: there is no ssh-agent (openssh-client has it)\n");
        skip();
    }
    assert_true(shell("ssh-keygen -q -t ed25519 -N geheim -C agent -f locked && "
                      "(printf 'restrict '; cat locked.pub) >>authorized_keys"));
    const char *const arguments[] = {"ssh-agent", "-D", "-a", in_folder("agent"), NULL};
    pid_t agent = start(arguments);
    for (unsigned i = 0; i < 500 && !file_exists(in_folder("agent")); i++)
        nanosleep(&(struct timespec){0, 10000000}, NULL);
    char *before = getenv("SSH_AUTH_SOCK") ? mem_strdup(getenv("SSH_AUTH_SOCK")) : NULL;
    setenv("SSH_AUTH_SOCK", in_folder("agent"), 1);
    assert_fails(url, request, "accepts none of our keys", "ssh-agent");
    /* a passphrase is typed once, when the key is loaded */
    assert_true(shell("printf '#!/bin/sh\\necho geheim\\n' >ask && chmod +x ask && "
                      "DISPLAY=:0 SSH_ASKPASS_REQUIRE=force SSH_ASKPASS=./ask "
                      "setsid ssh-add locked </dev/null && rm locked ask"));
    assert_read(url, request, "first\n");
    assert_true(shell("ssh-add -D"));
    assert_fails(url, request, "accepts none of our keys", "");
    stop(agent);
    assert_fails(url, request, "accepts none of our keys", ""); /* an agent that is gone */
    if (before)
        setenv("SSH_AUTH_SOCK", before, 1);
    else
        unsetenv("SSH_AUTH_SOCK");
    free(before);
    free(url);
    free(hosts);
}

/* ---- https -------------------------------------------------------------------------------- */

static char *https_url(const char *way) {
    return mem_printf("https://localhost:%s/%s/work.git", https_port, way);
}

static struct repo_request https_request(bool with_cache) {
    static char trusted[512], cache[512];
    snprintf(trusted, sizeof trusted, "%s", in_folder("tls.crt"));
    snprintf(cache, sizeof cache, "%s", in_folder("cache"));
    return (struct repo_request){.ca_file = trusted, .cache = with_cache ? cache : NULL};
}

static void fetches_over_https(void **state) {
    (void)state;
    char *url = https_url("open");
    assert_read(url, https_request(false), "first\n");
    assert_read(url, https_request(true), "first\n");
    push("second\n", FIXTURE_TIME + 100);
    assert_read(url, https_request(true), "second\n");
    unlink(in_folder("requests"));
    assert_read(url, https_request(true), "second\n");
    assert_int_equal(count_requests("\n"), 1); /* unchanged: one round trip */
    free(url);
}

static void a_token_comes_from_the_environment(void **state) {
    (void)state;
    char *url = https_url("closed");
    assert_fails(url, https_request(false), "localhost wants a login",
                 "WARPGRADE_GIT_TOKEN_LOCALHOST");
    setenv("WARPGRADE_GIT_TOKEN", token, 1); /* not for which host */
    assert_fails(url, https_request(false), "localhost wants a login", "WARPGRADE_GIT_HOST");
    setenv("WARPGRADE_GIT_HOST", "example.org", 1);
    assert_fails(url, https_request(false), "localhost wants a login", "");
    assert_int_equal(count_requests("password"), 0);
    setenv("WARPGRADE_GIT_HOST", "localhost", 1);
    assert_read(url, https_request(false), "first\n");
    unsetenv("WARPGRADE_GIT_TOKEN");
    setenv("WARPGRADE_GIT_TOKEN_LOCALHOST", "geheim-and-wrong", 1);
    assert_fails(url, https_request(false), "localhost refused the token", "still valid");
    setenv("WARPGRADE_GIT_TOKEN_LOCALHOST", token, 1);
    assert_read(url, https_request(true), "first\n");
    push("second\n", FIXTURE_TIME + 100);
    assert_read(url, https_request(true), "second\n");
    unsetenv("WARPGRADE_GIT_TOKEN_LOCALHOST");
    unsetenv("WARPGRADE_GIT_HOST");
    free(url);
    url = mem_printf("https://ada:%s@localhost:%s/closed/work.git", token, https_port);
    assert_read(url, https_request(true), "second\n");
    free(url);
    url = mem_printf("https://ada:geheim-no@localhost:%s/closed/work.git", https_port);
    assert_fails(url, https_request(false), "refused the password, or token, in the URL", "");
    free(url);
}

static void no_secret_is_written(void **state) {
    (void)state;
    setenv("WARPGRADE_GIT_TOKEN_LOCALHOST", token, 1);
    setenv("TMPDIR", in_folder("scratch"), 1);
    assert_int_equal(mkdir(in_folder("scratch"), 0700), 0);
    char *url = https_url("closed");
    assert_read(url, https_request(true), "first\n");
    free(url);
    url = mem_printf("https://ada:%s@localhost:%s/closed/work.git", token, https_port);
    assert_read(url, https_request(true), "first\n");
    free(url);
    url = mem_printf("https://ada:%s@localhost:%s/closed/no.git", token, https_port);
    struct outcome got = read_from(url, https_request(true));
    assert_int_equal(got.status, STATUS_INVALID);
    free(url);
    /* what a stranger's text brings back is cut, too */
    struct repo_request request = https_request(true);
    request.branch = token;
    url = https_url("closed");
    assert_fails(url, request, "no branch ***", "");
    free(url);
    unsetenv("WARPGRADE_GIT_TOKEN_LOCALHOST");
    unsetenv("TMPDIR");
    assert_true(shell("test -d cache"));
    assert_true(shell("! grep -ra geheim cache scratch && ! find cache scratch | grep geheim"));
}

static void a_redirect_gets_no_secret(void **state) {
    (void)state;
    setenv("WARPGRADE_GIT_TOKEN_LOCALHOST", token, 1);
    setenv("WARPGRADE_GIT_TOKEN_127_0_0_1", token, 1);
    char *url = https_url("away");
    assert_fails(url, https_request(false), "localhost redirects to another host, 127.0.0.1",
                 "nothing is sent there");
    free(url);
    url = mem_printf("https://ada:%s@localhost:%s/away/work.git", token, https_port);
    assert_fails(url, https_request(false), "redirects to another host", "");
    free(url);
    assert_int_equal(count_requests("127.0.0.1"), 0); /* not even asked */
    url = https_url("plain");
    struct outcome got = read_from(url, https_request(false));
    assert_int_equal(got.status, STATUS_INVALID);
    free(url);
    url = https_url("same");
    assert_read(url, https_request(false), "first\n");
    free(url);
    unsetenv("WARPGRADE_GIT_TOKEN_LOCALHOST");
    unsetenv("WARPGRADE_GIT_TOKEN_127_0_0_1");
}

static void https_says_what_is_wrong(void **state) {
    (void)state;
    char *url = https_url("open");
    struct repo_request nobody = {0};
    assert_fails(url, nobody, "the certificate of localhost is not trusted", "GIT_SSL_CAINFO");
    setenv("GIT_SSL_CAINFO", in_folder("tls.crt"), 1);
    assert_read(url, nobody, "first\n");
    unsetenv("GIT_SSL_CAINFO");
    struct repo_request request = {.ca_file = "/nowhere"};
    assert_int_equal(read_from(url, request).status, STATUS_ENVIRONMENT);
    free(url);
    url = mem_printf("https://localhost:%s/open/no.git", https_port);
    assert_fails(url, https_request(false), "404", "");
    free(url);
    url = https_url("stall");
    request = https_request(false);
    request.time_limit_seconds = 1;
    double begin = clock_ms();
    assert_fails(url, request, "took longer than 1 seconds", "");
    assert_true(clock_ms() - begin < 3000);
    free(url);
}

static void a_cut_off_fetch_leaves_nothing_half_done(void **state) {
    (void)state;
    char *open_url = https_url("open"), *drop = https_url("drop");
    assert_read(open_url, https_request(true), "first\n");
    struct outcome got = read_from(drop, https_request(true));
    assert_int_equal(got.status, STATUS_INVALID);
    /* the same entry, as if the line had been cut: the location's hash decides */
    push("second\n", FIXTURE_TIME + 100);
    assert_read(open_url, https_request(true), "second\n");
    free(open_url);
    free(drop);
}

static void sha256_repositories_are_said(void **state) {
    (void)state;
    if (!shell("cd served && rm -rf long.git && git init -q --bare -b main --object-format=sha256 "
               "long.git && cd long.git && tree=$(git hash-object -t tree -w /dev/null) && "
               "git update-ref refs/heads/main $(git -c user.name=A -c user.email=a@b commit-tree "
               "-m x $tree)"))
        skip(); /* an old git */
    char *url = mem_printf("https://localhost:%s/open/long.git", https_port);
    assert_fails(url, https_request(false), "SHA-256 object ids", "git init");
    free(url);
    assert_fails(in_folder("served/long.git"), https_request(false), "SHA-256 object ids", "");
    url = mem_printf("file://%s", in_folder("served/long.git"));
    assert_fails(url, https_request(false), "SHA-256 object ids", "");
    free(url);
}

/* ---- the whole ---------------------------------------------------------------------------- */

static const char *find_sshd(void) {
    static const char *const places[] = {"/usr/sbin/sshd", "/usr/local/sbin/sshd", "/sbin/sshd"};
    for (size_t i = 0; i < ARRAY_LENGTH(places); i++)
        if (access(places[i], X_OK) == 0)
            return places[i];
    return NULL;
}

/* Exit code 77 is "skipped" for CTest. */
static const char *why_not(const char *which) {
    if (!shell("git --version && test -x \"$(git --exec-path)/git-http-backend\""))
        return "there is no git";
    if (strcmp(which, "ssh") == 0) {
        if (!find_sshd() || !shell("command -v ssh ssh-keygen"))
            return "there is no sshd (openssh-server and openssh-client have it)";
        if (geteuid() == 0 && mkdir("/run/sshd", 0755) != 0 && errno != EEXIST)
            return "/run/sshd cannot be made, which sshd asks for as root";
        return NULL;
    }
    if (!shell("command -v python3 openssl && python3 -c 'import ssl'"))
        return "there is no python3 with ssl, or no openssl";
    return shell("python3 -c 'import socket; socket.getaddrinfo(\"localhost\", 1)'")
               ? NULL
               : "localhost has no address: /etc/hosts does not say it";
}

#define TEST(function) cmocka_unit_test_setup(function, make_repository)

int main(int count, char **arguments) {
    const struct CMUnitTest ssh_tests[] = {
        TEST(fetches_over_ssh),
        TEST(ssh_says_what_is_wrong),
        TEST(a_key_comes_from_the_agent),
    };
    const struct CMUnitTest https_tests[] = {
        TEST(fetches_over_https),           TEST(a_token_comes_from_the_environment),
        TEST(no_secret_is_written),         TEST(a_redirect_gets_no_secret),
        TEST(https_says_what_is_wrong),     TEST(a_cut_off_fetch_leaves_nothing_half_done),
        TEST(sha256_repositories_are_said),
    };
    if (count != 2)
        return 2;
    folder = mem_strdup("/tmp/warpgrade-test.XXXXXX");
    if (!mkdtemp(folder) || mkdir(in_folder("served"), 0700) != 0)
        return 1;
    const char *reason = why_not(arguments[1]);
    int failed = 0;
    if (reason) {
        printf("skipped: %s\n", reason);
    } else if (strcmp(arguments[1], "ssh") == 0) {
        start_sshd(find_sshd());
        failed = cmocka_run_group_tests(ssh_tests, NULL, NULL);
    } else {
        start_https();
        failed = cmocka_run_group_tests(https_tests, NULL, NULL);
    }
    stop(sshd);
    stop(https);
    if (failed)
        shell("cat log >&2; false");
    fixture_remove(folder);
    free(folder);
    return reason ? 77 : failed != 0;
}
