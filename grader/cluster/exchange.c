/* Every reader checks types, sizes and characters before anything is used as a name. */
#include "grader/cluster/exchange.h"

#include "sandbox/base/hash.h"
#include "sandbox/base/memory.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_STRING = 4096, MOST_KEYS = 10000 };
#define MOST_SECONDS 1e7

static const char *const languages[LANGUAGE_COUNT] = {[LANGUAGE_EN] = "en", [LANGUAGE_ZH] = "zh"};

static char *dump(json_t *object) {
    char *text = json_dumps(object, JSON_COMPACT | JSON_SORT_KEYS);
    json_decref(object);
    return text ? text : mem_strdup("");
}

/* Bytes that are no UTF-8 (a file's name) are written as what stands for them. */
static json_t *foreign_string(const char *text) {
    json_t *string = json_string(text);
    if (string)
        return string;
    cleanup_free char *copy = mem_strdup(text);
    for (char *c = copy; *c; c++)
        if ((unsigned char)*c >= 0x80)
            *c = '?';
    return json_string(copy);
}

char *exchange_write_session(const struct cluster_session *session) {
    char seed[24];
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)session->seed);
    json_t *object =
        json_pack("{s:s, s:s, s:s, s:s}", "tool", session->tool, "engine", session->engine,
                  "language", languages[session->language], "seed", seed);
    if (session->device)
        json_object_set_new(object, "device", foreign_string(session->device));
    if (session->has_pass_mark)
        json_object_set_new(object, "pass_mark", json_real(session->pass_mark));
    return dump(object);
}

char *exchange_write_order(const struct cluster_order *order) {
    json_t *object = json_pack("{s:s, s:s, s:s}", "exercise", order->exercise, "version",
                               order->version, "sha256", order->sha256);
    json_object_set_new(object, "name", foreign_string(order->name));
    return dump(object);
}

char *exchange_write_failure(const struct cluster_failure *failure) {
    json_t *object = json_pack("{s:i}", "status", (int)failure->status);
    json_object_set_new(object, "message", foreign_string(failure->message));
    json_object_set_new(object, "hint", foreign_string(failure->hint));
    json_object_set_new(object, "node", foreign_string(failure->node));
    return dump(object);
}

char *exchange_write_keys(const char (*keys)[CLUSTER_KEY_SIZE], size_t count) {
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_string(keys[i]));
    return dump(list);
}

char *exchange_write_seconds(const struct cluster_seconds *seconds, size_t count) {
    json_t *object = json_object();
    for (size_t i = 0; i < count; i++)
        json_object_set_new(object, seconds[i].exercise, json_real(seconds[i].seconds));
    return dump(object);
}

void exchange_key(const char *session, const struct cluster_order *order, const void *text,
                  size_t length, char key[CLUSTER_KEY_SIZE]) {
    const struct hash_part parts[] = {{session, strlen(session)},
                                      {order->exercise, strlen(order->exercise)},
                                      {order->version, strlen(order->version)},
                                      {order->name, strlen(order->name)},
                                      {text, length}};
    struct sha256 hash = hash_parts(parts, ARRAY_LENGTH(parts));
    hash_hex(&hash, key);
}

/* ---- reading ------------------------------------------------------------------------------ */

/* A document is its JSON tree, which owns the strings. */
static json_t *tree(struct exchange *document) {
    return (json_t *)(void *)document;
}

void exchange_free(struct exchange *document) {
    json_decref(tree(document));
}

bool exchange_is_key(const char *text) {
    return strlen(text) == CLUSTER_KEY_SIZE - 1 &&
           strspn(text, "0123456789abcdef") == CLUSTER_KEY_SIZE - 1;
}

static enum status parse(const char *text, size_t length, json_t **root, struct error *error) {
    json_error_t problem;
    *root = length <= EXCHANGE_MAX_BYTES
                ? json_loadb(text, length, JSON_REJECT_DUPLICATES, &problem)
                : NULL;
    return *root ? STATUS_OK : error_set(error, STATUS_ENVIRONMENT, "it is no JSON of a task");
}

/* NULL where there is none, or it is none that can be used. */
static const char *string_of(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    return json_is_string(value) && json_string_length(value) <= LONGEST_STRING
               ? json_string_value(value)
               : NULL;
}

/* Hands the tree on, or says that it is not what it should be. */
static enum status give(json_t *root, bool usable, const char *what, struct exchange **document,
                        struct error *error) {
    *document = usable ? (struct exchange *)(void *)root : NULL;
    if (usable)
        return STATUS_OK;
    json_decref(root);
    return error_set(error, STATUS_ENVIRONMENT, "it is no %s of this version", what);
}

static bool read_seed(const char *text, uint64_t *seed) {
    char *end;
    if (!text || !*text || strspn(text, "0123456789") != strlen(text) || strlen(text) > 20)
        return false;
    *seed = strtoull(text, &end, 10);
    return !*end;
}

enum status exchange_read_session(const char *text, size_t length, struct cluster_session *session,
                                  struct exchange **document, struct error *error) {
    json_t *root;
    *document = NULL;
    enum status status = parse(text, length, &root, error);
    if (status != STATUS_OK)
        return status;
    const char *language = string_of(root, "language");
    const json_t *mark = json_object_get(root, "pass_mark");
    *session = (struct cluster_session){.tool = string_of(root, "tool"),
                                        .engine = string_of(root, "engine"),
                                        .device = string_of(root, "device"),
                                        .language = LANGUAGE_COUNT,
                                        .has_pass_mark = mark != NULL,
                                        .pass_mark = json_number_value(mark)};
    for (int i = 0; language && i < LANGUAGE_COUNT; i++)
        if (strcmp(language, languages[i]) == 0)
            session->language = (enum language)i;
    bool usable = session->tool && session->engine && session->language != LANGUAGE_COUNT &&
                  (!mark || json_is_number(mark)) &&
                  read_seed(string_of(root, "seed"), &session->seed);
    return give(root, usable, "session", document, error);
}

enum status exchange_read_order(const char *text, size_t length, struct cluster_order *order,
                                struct exchange **document, struct error *error) {
    json_t *root;
    *document = NULL;
    enum status status = parse(text, length, &root, error);
    if (status != STATUS_OK)
        return status;
    *order = (struct cluster_order){string_of(root, "exercise"), string_of(root, "version"),
                                    string_of(root, "name"), string_of(root, "sha256")};
    bool usable = order->exercise && order->version && order->name && order->sha256;
    return give(root, usable, "submission", document, error);
}

enum status exchange_read_failure(const char *text, size_t length, struct cluster_failure *failure,
                                  struct exchange **document, struct error *error) {
    json_t *root;
    *document = NULL;
    enum status status = parse(text, length, &root, error);
    if (status != STATUS_OK)
        return status;
    json_int_t code = json_integer_value(json_object_get(root, "status"));
    *failure = (struct cluster_failure){(enum status)code, string_of(root, "message"),
                                        string_of(root, "hint"), string_of(root, "node")};
    bool usable = (code == STATUS_INVALID || code == STATUS_ENVIRONMENT) && failure->message &&
                  failure->hint && failure->node;
    return give(root, usable, "failure", document, error);
}

enum status exchange_read_keys(const char *text, size_t length, char (**keys)[CLUSTER_KEY_SIZE],
                               size_t *count, struct error *error) {
    json_t *root;
    *keys = NULL;
    *count = 0;
    enum status status = parse(text, length, &root, error);
    if (status != STATUS_OK)
        return status;
    size_t total = json_array_size(root); /* 0 where it is no list */
    bool usable = total > 0 && total <= MOST_KEYS;
    *keys = mem_calloc(usable ? total : 1, sizeof **keys);
    for (size_t i = 0; usable && i < total; i++) {
        const char *key = json_string_value(json_array_get(root, i));
        usable = key && exchange_is_key(key);
        if (usable)
            memcpy((*keys)[i], key, CLUSTER_KEY_SIZE);
    }
    json_decref(root);
    if (usable) {
        *count = total;
        return STATUS_OK;
    }
    free(steal_pointer(keys));
    return error_set(error, STATUS_ENVIRONMENT, "it is no list of submissions");
}

enum status exchange_read_seconds(const char *text, size_t length, struct cluster_seconds **seconds,
                                  size_t *count, struct error *error) {
    json_t *root, *value;
    const char *key;
    size_t capacity = 0;
    *seconds = NULL;
    *count = 0;
    enum status status = parse(text, length, &root, error);
    if (status != STATUS_OK)
        return status;
    json_object_foreach(root, key, value) {
        double number = json_number_value(value);
        if (strlen(key) >= sizeof(*seconds)->exercise || *count >= MOST_KEYS ||
            !(number >= 0 && number <= MOST_SECONDS))
            continue;
        struct cluster_seconds *entry = mem_push(seconds, count, &capacity);
        snprintf(entry->exercise, sizeof entry->exercise, "%s", key);
        entry->seconds = number;
    }
    json_decref(root);
    return STATUS_OK;
}
