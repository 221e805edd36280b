/* The loader of yaml.h: libyaml's events become a tree of nodes.
 *
 * The files are written by hand by instructors, so not all of YAML is allowed: anchors and
 * aliases make an error message point at the wrong place (and make the billion-laughs bomb), tags
 * change types without the reader's notice, and a duplicate key hides a mistake. They are refused
 * here, where the position is still known. libyaml counts columns in characters; editors and our
 * error messages want bytes, so every mark is translated through its character index. */
#include "grader/exercise/yaml.h"

#include "sandbox/base/file.h"
#include "sandbox/base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>
#include <yaml.h>

/* Walks the source once, in step with the marks, which come in ascending order. */
struct yaml_cursor {
    size_t character, byte;
    size_t line_start;
    unsigned line;
};

struct loader {
    yaml_parser_t parser;
    struct yaml_document *document;
    struct yaml_cursor cursor;
    size_t node_count;
    struct error *error;
};

static void cursor_step(struct yaml_cursor *cursor, const struct yaml_document *document) {
    if (document->source[cursor->byte] == '\n') {
        cursor->line++;
        cursor->line_start = cursor->byte + 1;
    }
    cursor->byte++;
    while (cursor->byte < document->source_length &&
           ((unsigned char)document->source[cursor->byte] & 0xc0) == 0x80)
        cursor->byte++;
    cursor->character++;
}

static void locate(struct loader *loader, size_t character, unsigned *line, unsigned *column) {
    struct yaml_cursor *cursor = &loader->cursor;
    if (character < cursor->character)
        *cursor = (struct yaml_cursor){.line = 1};
    while (cursor->character < character && cursor->byte < loader->document->source_length)
        cursor_step(cursor, loader->document);
    *line = cursor->line;
    *column = (unsigned)(cursor->byte - cursor->line_start) + 1;
}

static enum status refuse(struct loader *loader, const yaml_mark_t *mark, const char *message,
                          const char *hint) {
    const struct yaml_document *document = loader->document;
    unsigned line, column;
    locate(loader, mark->index, &line, &column);
    error_set(loader->error, STATUS_INVALID, "%s", message);
    if (hint)
        error_hint(loader->error, "%s", hint);
    error_place(loader->error, document->file, line, column, document->source,
                document->source_length);
    return STATUS_INVALID;
}

/* Bytes that are no UTF-8 and control characters: libyaml gives a byte offset, no mark. */
static enum status refuse_bytes(struct loader *loader) {
    const struct yaml_document *document = loader->document;
    size_t offset = loader->parser.problem_offset;
    if (offset > document->source_length)
        offset = document->source_length;
    struct yaml_cursor cursor = {.line = 1};
    for (; cursor.byte < offset; cursor.byte++)
        if (document->source[cursor.byte] == '\n') {
            cursor.line++;
            cursor.line_start = cursor.byte + 1;
        }
    error_set(loader->error, STATUS_INVALID, "this is not a text file in UTF-8: %s",
              loader->parser.problem);
    error_place(loader->error, document->file, cursor.line,
                (unsigned)(offset - cursor.line_start) + 1, document->source,
                document->source_length);
    return STATUS_INVALID;
}

static enum status next_event(struct loader *loader, yaml_event_t *event) {
    yaml_parser_t *parser = &loader->parser;
    if (yaml_parser_parse(parser, event))
        return STATUS_OK;
    if (parser->error == YAML_READER_ERROR)
        return refuse_bytes(loader);
    const char *problem = parser->problem ? parser->problem : "it cannot be parsed";
    cleanup_free char *message =
        parser->context ? mem_printf("not valid YAML: %s, %s", problem, parser->context)
                        : mem_printf("not valid YAML: %s", problem);
    size_t index = parser->problem_mark.index;
    unsigned line, column;
    locate(loader, index, &line, &column);
    bool tab = loader->cursor.byte < loader->document->source_length &&
               loader->document->source[loader->cursor.byte] == '\t';
    return refuse(loader, &parser->problem_mark, message,
                  tab ? "YAML indents with spaces, never with tabs." : NULL);
}

static enum status check_plain(struct loader *loader, const yaml_event_t *event) {
    const yaml_char_t *anchor = NULL, *tag = NULL;
    if (event->type == YAML_ALIAS_EVENT)
        return refuse(loader, &event->start_mark, "aliases (*name) are not accepted",
                      "Write the value out where it is used.");
    if (event->type == YAML_SCALAR_EVENT) {
        anchor = event->data.scalar.anchor;
        tag = event->data.scalar.tag;
    } else if (event->type == YAML_SEQUENCE_START_EVENT) {
        anchor = event->data.sequence_start.anchor;
        tag = event->data.sequence_start.tag;
    } else if (event->type == YAML_MAPPING_START_EVENT) {
        anchor = event->data.mapping_start.anchor;
        tag = event->data.mapping_start.tag;
    }
    if (anchor)
        return refuse(loader, &event->start_mark, "anchors (&name) are not accepted",
                      "Write the value out where it is used.");
    if (tag)
        return refuse(loader, &event->start_mark, "tags (!type) are not accepted",
                      "Each key has one type; leave the tag out.");
    return STATUS_OK;
}

static void node_free(struct yaml_node *node) {
    if (!node)
        return;
    for (size_t i = 0; i < node->count; i++) {
        node_free(node->items[i]);
        if (node->keys)
            node_free(node->keys[i]);
    }
    free(node->items);
    free(node->keys);
    free(node->text);
    free(node);
}

static enum status load_node(struct loader *loader, const yaml_event_t *event, unsigned depth,
                             struct yaml_node **result);

static enum status load_scalar(struct loader *loader, const yaml_event_t *event,
                               struct yaml_node *node) {
    const char *value = (const char *)event->data.scalar.value;
    size_t length = event->data.scalar.length;
    if (memchr(value, '\0', length))
        return refuse(loader, &event->start_mark, "the text holds a NUL character", NULL);
    node->text = mem_strndup(value, length);
    node->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    return STATUS_OK;
}

static void append(struct yaml_node ***array, size_t count, struct yaml_node *node) {
    if ((count & (count - 1)) == 0)
        *array = mem_realloc(*array, count ? count * 2 : 1, sizeof **array);
    (*array)[count] = node;
}

static enum status load_sequence(struct loader *loader, unsigned depth, struct yaml_node *node) {
    for (;;) {
        yaml_event_t event;
        enum status status = next_event(loader, &event);
        if (status != STATUS_OK)
            return status;
        if (event.type == YAML_SEQUENCE_END_EVENT) {
            yaml_event_delete(&event);
            return STATUS_OK;
        }
        struct yaml_node *item = NULL;
        status = load_node(loader, &event, depth + 1, &item);
        yaml_event_delete(&event);
        if (status != STATUS_OK)
            return status;
        append(&node->items, node->count, item);
        node->count++;
    }
}

struct seen_key {
    const struct yaml_node *key;
    UT_hash_handle hh;
};

static enum status check_key(struct loader *loader, struct seen_key **seen,
                             const yaml_event_t *event, const struct yaml_node *key) {
    struct seen_key *entry;
    HASH_FIND_STR(*seen, key->text, entry);
    if (entry) {
        cleanup_free char *message =
            mem_printf("the key %.60s is here twice; the first one is on line %u", key->text,
                       entry->key->line);
        return refuse(loader, &event->start_mark, message, "Keep one of the two.");
    }
    entry = mem_zalloc(sizeof *entry);
    entry->key = key;
    HASH_ADD_KEYPTR(hh, *seen, key->text, strlen(key->text), entry);
    return STATUS_OK;
}

static enum status load_entry(struct loader *loader, const yaml_event_t *event, unsigned depth,
                              struct seen_key **seen, struct yaml_node *node) {
    if (event->type != YAML_SCALAR_EVENT)
        return check_plain(loader, event) != STATUS_OK
                   ? STATUS_INVALID
                   : refuse(loader, &event->start_mark, "a key must be a plain name", NULL);
    struct yaml_node *key = NULL, *value = NULL;
    enum status status = load_node(loader, event, depth + 1, &key);
    if (status == STATUS_OK)
        status = check_key(loader, seen, event, key);
    yaml_event_t value_event;
    if (status == STATUS_OK)
        status = next_event(loader, &value_event);
    if (status == STATUS_OK) {
        status = load_node(loader, &value_event, depth + 1, &value);
        yaml_event_delete(&value_event);
    }
    if (status != STATUS_OK) {
        /* The key stays owned by the mapping: the table of seen keys still points at it. */
        append(&node->keys, node->count, key);
        append(&node->items, node->count, value);
        node->count++;
        return status;
    }
    append(&node->keys, node->count, key);
    append(&node->items, node->count, value);
    node->count++;
    return STATUS_OK;
}

static enum status load_mapping(struct loader *loader, unsigned depth, struct yaml_node *node) {
    struct seen_key *seen = NULL;
    enum status status;
    for (bool more = true; more;) {
        yaml_event_t event;
        status = next_event(loader, &event);
        if (status != STATUS_OK)
            break;
        more = event.type != YAML_MAPPING_END_EVENT;
        if (more)
            status = load_entry(loader, &event, depth, &seen, node);
        yaml_event_delete(&event);
        if (status != STATUS_OK)
            break;
    }
    struct seen_key *entry, *next;
    HASH_ITER(hh, seen, entry, next) {
        HASH_DEL(seen, entry);
        free(entry);
    }
    return status;
}

static enum status load_node(struct loader *loader, const yaml_event_t *event, unsigned depth,
                             struct yaml_node **result) {
    enum status status = check_plain(loader, event);
    if (status != STATUS_OK)
        return status;
    if (depth > YAML_MAX_DEPTH)
        return refuse(loader, &event->start_mark, "the nesting is too deep", NULL);
    if (++loader->node_count > YAML_MAX_NODES)
        return refuse(loader, &event->start_mark, "the file holds too many values", NULL);
    struct yaml_node *node = mem_zalloc(sizeof *node);
    locate(loader, event->start_mark.index, &node->line, &node->column);
    if (event->type == YAML_SCALAR_EVENT) {
        node->kind = YAML_SCALAR;
        status = load_scalar(loader, event, node);
    } else if (event->type == YAML_SEQUENCE_START_EVENT) {
        node->kind = YAML_SEQUENCE;
        status = load_sequence(loader, depth, node);
    } else {
        node->kind = YAML_MAPPING;
        status = load_mapping(loader, depth, node);
    }
    if (status != STATUS_OK) {
        node_free(node);
        return status;
    }
    *result = node;
    return STATUS_OK;
}

/* Stream start, document start, the root, document end, stream end: each exactly once. */
static enum status load_document(struct loader *loader) {
    bool ended = false;
    while (!ended) {
        yaml_event_t event;
        enum status status = next_event(loader, &event);
        if (status != STATUS_OK)
            return status;
        switch (event.type) {
        case YAML_STREAM_END_EVENT:
            ended = true;
            break;
        case YAML_STREAM_START_EVENT:
        case YAML_DOCUMENT_END_EVENT:
            break;
        case YAML_DOCUMENT_START_EVENT:
            if (loader->document->root)
                status = refuse(loader, &event.start_mark, "a second document begins here",
                                "One file holds one document; remove the `---`.");
            break;
        default:
            status = load_node(loader, &event, 0, &loader->document->root);
        }
        yaml_event_delete(&event);
        if (status != STATUS_OK)
            return status;
    }
    if (loader->document->root)
        return STATUS_OK;
    error_set(loader->error, STATUS_INVALID, "the file is empty");
    error_place(loader->error, loader->document->file, 0, 0, NULL, 0);
    return STATUS_INVALID;
}

/* Editors of Windows begin a file with a byte order mark. libyaml counts it as a column, so that a
 * second key stands left of the first one. */
static size_t drop_byte_order_mark(char *source, size_t length) {
    if (length < 3 || memcmp(source, "\xef\xbb\xbf", 3) != 0)
        return length;
    memmove(source, source + 3, length - 3 + 1);
    return length - 3;
}

/* Takes over the source, which a NUL ends. */
static enum status parse_owned(const char *file, char *source, size_t length,
                               struct yaml_document **document, struct error *error) {
    struct loader loader = {.cursor = {.line = 1}, .error = error};
    length = drop_byte_order_mark(source, length);
    loader.document = mem_zalloc(sizeof *loader.document);
    loader.document->file = mem_strdup(file);
    loader.document->source = source;
    loader.document->source_length = length;
    enum status status;
    if (!yaml_parser_initialize(&loader.parser)) {
        status = error_set(error, STATUS_ENVIRONMENT, "libyaml cannot be started");
    } else {
        yaml_parser_set_encoding(&loader.parser, YAML_UTF8_ENCODING);
        yaml_parser_set_input_string(&loader.parser, (const unsigned char *)source, length);
        status = load_document(&loader);
        yaml_parser_delete(&loader.parser);
    }
    if (status != STATUS_OK) {
        yaml_document_free(loader.document);
        return status;
    }
    *document = loader.document;
    return STATUS_OK;
}

enum status yaml_parse(const char *file, const char *source, size_t length,
                       struct yaml_document **document, struct error *error) {
    if (length > YAML_MAX_BYTES) {
        error_set(error, STATUS_INVALID, "the file is larger than %d bytes", YAML_MAX_BYTES);
        error_place(error, file, 0, 0, NULL, 0);
        return STATUS_INVALID;
    }
    return parse_owned(file, mem_strndup(source, length), length, document, error);
}

enum status yaml_load(const char *path, struct yaml_document **document, struct error *error) {
    char *source;
    size_t length;
    enum status status = file_read(path, YAML_MAX_BYTES, &source, &length, error);
    if (status != STATUS_OK)
        return status;
    return parse_owned(path, source, length, document, error);
}

void yaml_document_free(struct yaml_document *document) {
    if (!document)
        return;
    node_free(document->root);
    free(document->file);
    free(document->source);
    free(document);
}
