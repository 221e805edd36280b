/* Words that a shell offers are of four kinds, and the tables' own placeholders say which: EXERCISE
 * and ID are ids of exercises (asked of the program each time, so that a course's own are among
 * them), "en|zh" is these words, WHEN is that of --color, KIND that of --jail, FORMAT=FILE the
 * formats of reports; everything else is a file. The summaries and help texts in them are ours, and
 * are quoted all the same. */
#include "grader/cli/install/completion.h"

#include "grader/cli/install/option_table.h"
#include "reports/report.h"
#include "sandbox/base/memory.h"

#include <ctype.h>
#include <string.h>

enum value_kind { VALUE_FILES, VALUE_IDS, VALUE_WORDS };

/* "en|zh", "sim|cuda|auto": words in small letters. */
static bool is_choice(const char *value) {
    bool several = false;
    for (const char *at = value; *at; at++) {
        several = several || *at == '|';
        if (!(islower((unsigned char)*at) || isdigit((unsigned char)*at) || *at == '|'))
            return false;
    }
    return several;
}

static void append_formats(const char *end, struct text *words) {
    for (size_t i = 0; i < report_format_count; i++)
        text_printf(words, "%s%s%s", i ? " " : "", report_formats[i].name, end);
}

/* What may stand for `value`, a placeholder; the words, with blanks, for VALUE_WORDS. */
static enum value_kind kind_of(const char *value, struct text *words) {
    words->length = 0;
    if (is_choice(value)) {
        for (; *value; value++)
            text_append_char(words, *value == '|' ? ' ' : *value);
    } else if (strcmp(value, "WHEN") == 0) {
        text_append(words, "auto always never");
    } else if (strcmp(value, "KIND") == 0) {
        text_append(words, "auto namespaces landlock");
    } else if (strcmp(value, "FORMAT=FILE") == 0) {
        append_formats("=", words);
    } else if (strncmp(value, "FORMAT REPORT", 13) == 0) {
        append_formats("", words);
        text_append(words, " bundle");
    } else {
        return strstr(value, "EXERCISE") || strcmp(value, "ID") == 0 ? VALUE_IDS : VALUE_FILES;
    }
    return VALUE_WORDS;
}

static bool is_command(const json_t *entry) {
    return json_is_null(json_object_get(entry, "parent"));
}

/* The names of a command's subcommands, NULL for the commands themselves. */
static void append_names(const json_t *commands, const char *parent, struct text *out) {
    size_t i;
    json_t *entry;
    json_array_foreach(commands, i, entry) {
        const char *of = json_string_value(json_object_get(entry, "parent"));
        if (parent ? of && strcmp(of, parent) == 0 : !of)
            text_printf(out, "%s%s", out->length ? " " : "", option_table_text(entry, "name"));
    }
}

/* 'text' for a shell: a quote inside ends it, stands quoted by itself and begins it again. */
static void append_quoted(const char *string, struct text *out) {
    text_append_char(out, '\'');
    for (; *string; string++) {
        if (*string == '\'')
            text_append(out, "'\\''");
        else
            text_append_char(out, *string == '\n' ? ' ' : *string);
    }
    text_append_char(out, '\'');
}

/* The words that select an entry: "gradebook show", "grade". */
static char *entry_path(const json_t *entry) {
    const char *parent = json_string_value(json_object_get(entry, "parent"));
    const char *name = option_table_text(entry, "name");
    return parent ? mem_printf("%s %s", parent, name) : mem_strdup(name);
}

/* ---- bash ------------------------------------------------------------------------------------ */

static void append_flags(const json_t *entry, struct text *out) {
    size_t i;
    json_t *option;
    json_array_foreach(json_object_get(entry, "options"), i, option) {
        const char *name = option_table_text(option, "long");
        if (*name)
            text_printf(out, "--%s%s ", name, *option_table_text(option, "value") ? "=" : "");
    }
    text_append(out, "--help");
}

/* A pattern of `case` for each option with a value that is no file. */
static void append_bash_values(const json_t *entry, const char *path, struct text *out) {
    size_t i;
    json_t *option;
    json_array_foreach(json_object_get(entry, "options"), i, option) {
        cleanup_text struct text words = {0};
        const char *name = option_table_text(option, "long");
        const char *letter = option_table_text(option, "short");
        const char *value = option_table_text(option, "value");
        if (!*value)
            continue;
        enum value_kind kind = kind_of(value, &words);
        if (*name)
            text_printf(out, "        '%s --%s'", path, name);
        if (*letter)
            text_printf(out, "%s'%s -%s'", *name ? " | " : "        ", path, letter);
        text_append(out, ") values=");
        append_quoted(kind == VALUE_WORDS ? text_string(&words)
                      : kind == VALUE_IDS ? "@ids"
                                          : "@files",
                      out);
        text_append(out, " ;;\n");
    }
}

static void write_bash(const json_t *commands, struct text *out) {
    size_t i;
    json_t *entry;
    cleanup_text struct text names = {0};
    append_names(commands, NULL, &names);
    text_printf(out,
                "# Completion of warpgrade for bash, made by `warpgrade completions bash`.\n"
                "_warpgrade() {\n"
                "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} path\n"
                "    local flags='' arguments='' values=''\n"
                "    COMPREPLY=()\n"
                "    path=${COMP_WORDS[1]}\n"
                "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
                "        COMPREPLY=($(compgen -W '%s' -- \"$word\"))\n"
                "        return\n"
                "    fi\n"
                "    case $path in\n",
                text_string(&names));
    json_array_foreach(commands, i, entry) {
        cleanup_text struct text subcommands = {0};
        if (is_command(entry))
            append_names(commands, option_table_text(entry, "name"), &subcommands);
        if (subcommands.length)
            text_printf(out,
                        "    %s) case \" %s \" in *\" ${COMP_WORDS[2]} \"*) path=\"$path "
                        "${COMP_WORDS[2]}\" ;; esac ;;\n",
                        option_table_text(entry, "name"), text_string(&subcommands));
    }
    text_append(out, "    esac\n"
                     "    [ \"$COMP_CWORD\" -gt 2 ] || path=${COMP_WORDS[1]}\n"
                     "    case $path in\n");
    json_array_foreach(commands, i, entry) {
        cleanup_text struct text words = {0}, subcommands = {0};
        cleanup_free char *path = entry_path(entry);
        const char *arguments = option_table_text(entry, "arguments");
        enum value_kind kind = kind_of(arguments, &words);
        if (is_command(entry))
            append_names(commands, path, &subcommands);
        text_printf(out, "    '%s') flags='", path);
        append_flags(entry, out);
        text_append(out, "' arguments=");
        append_quoted(subcommands.length && kind != VALUE_WORDS ? text_string(&subcommands)
                      : kind == VALUE_WORDS                     ? text_string(&words)
                      : kind == VALUE_IDS                       ? "@ids"
                                                                : "@files",
                      out);
        text_append(out, " ;;\n");
    }
    text_append(out, "    esac\n"
                     "    # Bash may have split --name=value in three.\n"
                     "    if [ \"$word\" = = ]; then word=''\n"
                     "    elif [ \"$before\" = = ]; then before=${COMP_WORDS[COMP_CWORD-2]}\n"
                     "    fi\n"
                     "    case \"$path $before\" in\n");
    json_array_foreach(commands, i, entry) {
        cleanup_free char *path = entry_path(entry);
        append_bash_values(entry, path, out);
    }
    text_append(out, "    esac\n"
                     "    [ -n \"$values\" ] || values=$arguments\n"
                     "    case $word in\n"
                     "    -*) values=$flags ;;\n"
                     "    esac\n"
                     "    case $values in\n"
                     "    @ids)\n"
                     "        COMPREPLY=($(compgen -W \"$(\"${COMP_WORDS[0]}\" completions ids "
                     "2>/dev/null)\" -- \"$word\"))\n"
                     "        [ ${#COMPREPLY[@]} -gt 0 ] || compopt -o default 2>/dev/null\n"
                     "        ;;\n"
                     "    @files) compopt -o default 2>/dev/null ;;\n"
                     "    *) COMPREPLY=($(compgen -W \"$values\" -- \"$word\")) ;;\n"
                     "    esac\n"
                     "    case ${COMPREPLY[*]} in\n"
                     "    *=) compopt -o nospace 2>/dev/null ;;\n"
                     "    esac\n"
                     "}\n"
                     "complete -F _warpgrade warpgrade\n");
}

/* ---- zsh ------------------------------------------------------------------------------------- */

/* Inside of a specification of _arguments: brackets and colons have a meaning. */
static void append_zsh_text(const char *string, struct text *out) {
    for (; *string; string++) {
        if (strchr("[]:\\", *string))
            text_append_char(out, '\\');
        if (*string == '\'')
            text_append(out, "'\\''");
        else
            text_append_char(out, *string == '\n' ? ' ' : *string);
    }
}

static void append_zsh_action(enum value_kind kind, const struct text *words, struct text *out) {
    if (kind == VALUE_WORDS)
        text_printf(out, "(%s)", text_string(words));
    else
        text_append(out, kind == VALUE_IDS ? "_warpgrade_ids" : "_files");
}

static void append_zsh_option(const json_t *option, const char *dashes, const char *name,
                              struct text *out) {
    cleanup_text struct text words = {0};
    const char *value = option_table_text(option, "value");
    enum value_kind kind = kind_of(value, &words);
    text_printf(out, "            '*%s%s%s[", dashes, name,
                !*value               ? ""
                : strlen(dashes) == 2 ? "="
                                      : "+");
    append_zsh_text(option_table_text(option, "about"), out);
    text_append_char(out, ']');
    if (*value) {
        text_append_char(out, ':');
        append_zsh_text(value, out);
        text_append_char(out, ':');
        append_zsh_action(kind, &words, out);
    }
    text_append(out, "' \\\n");
}

static void append_zsh_entry(const json_t *entry, const char *pattern, struct text *out) {
    cleanup_text struct text words = {0};
    size_t i;
    json_t *option;
    enum value_kind kind = kind_of(option_table_text(entry, "arguments"), &words);
    text_printf(out, "        %s) _arguments \\\n", pattern);
    json_array_foreach(json_object_get(entry, "options"), i, option) {
        const char *name = option_table_text(option, "long");
        const char *letter = option_table_text(option, "short");
        if (*name)
            append_zsh_option(option, "--", name, out);
        if (*letter)
            append_zsh_option(option, "-", letter, out);
    }
    text_append(out, "            '--help[lists the options]' '*: :");
    append_zsh_action(kind, &words, out);
    text_append(out, "' ;;\n");
}

static void write_zsh(const json_t *commands, struct text *out) {
    size_t i;
    json_t *entry;
    text_append(out, "#compdef warpgrade\n"
                     "# Completion of warpgrade for zsh, made by `warpgrade completions zsh`.\n"
                     "_warpgrade_ids() {\n"
                     "    compadd -- ${(f)\"$(warpgrade completions ids 2>/dev/null)\"}\n"
                     "    _files\n"
                     "}\n"
                     "_warpgrade() {\n"
                     "    local -a names\n"
                     "    names=(\n");
    json_array_foreach(commands, i, entry) if (is_command(entry)) {
        cleanup_free char *line = mem_printf("%s:%s", option_table_text(entry, "name"),
                                             option_table_text(entry, "summary"));
        text_append(out, "        ");
        append_quoted(line, out);
        text_append_char(out, '\n');
    }
    text_append(out, "    )\n"
                     "    if (( CURRENT == 2 )); then\n"
                     "        _describe command names\n"
                     "        return\n"
                     "    fi\n"
                     "    local first=$words[2] second=$words[3]\n");
    json_array_foreach(commands, i, entry) if (is_command(entry)) {
        cleanup_text struct text subcommands = {0};
        append_names(commands, option_table_text(entry, "name"), &subcommands);
        if (subcommands.length)
            text_printf(out,
                        "    if [[ $first == %s ]] && (( CURRENT == 3 )); then\n"
                        "        compadd -- %s\n"
                        "    fi\n",
                        option_table_text(entry, "name"), text_string(&subcommands));
    }
    text_append(out, "    shift words\n"
                     "    (( CURRENT-- ))\n"
                     "    case \"$first $second\" in\n");
    for (int round = 0; round < 2; round++) /* what is longer first */
        json_array_foreach(commands, i, entry) {
            cleanup_free char *path = entry_path(entry);
            cleanup_free char *pattern =
                is_command(entry) ? mem_printf("'%s '*", path) : mem_printf("'%s'", path);
            if (is_command(entry) == (round == 1))
                append_zsh_entry(entry, pattern, out);
        }
    text_append(out, "    esac\n"
                     "}\n"
                     "compdef _warpgrade warpgrade\n");
}

/* ---- fish ------------------------------------------------------------------------------------ */

static void append_fish_values(const char *value, struct text *out) {
    cleanup_text struct text words = {0};
    enum value_kind kind = kind_of(value, &words);
    if (kind == VALUE_WORDS) {
        text_append(out, " -x -a ");
        append_quoted(text_string(&words), out);
    } else if (kind == VALUE_IDS) {
        text_append(out, " -a '(warpgrade completions ids 2>/dev/null)'");
    }
}

static void append_fish_entry(const json_t *entry, struct text *out) {
    size_t i;
    json_t *option;
    const char *parent = json_string_value(json_object_get(entry, "parent"));
    const char *name = option_table_text(entry, "name");
    cleanup_free char *condition =
        parent ? mem_printf("'__fish_seen_subcommand_from %s; and __fish_seen_subcommand_from %s'",
                            parent, name)
               : mem_printf("'__fish_seen_subcommand_from %s'", name);
    text_printf(out, "complete -c warpgrade -n %s", condition);
    append_fish_values(option_table_text(entry, "arguments"), out);
    text_append_char(out, '\n');
    json_array_foreach(json_object_get(entry, "options"), i, option) {
        const char *letter = option_table_text(option, "short");
        const char *value = option_table_text(option, "value");
        if (*option_table_text(option, "heading"))
            continue;
        text_printf(out, "complete -c warpgrade -n %s", condition);
        if (*option_table_text(option, "long"))
            text_printf(out, " -l %s", option_table_text(option, "long"));
        if (*letter)
            text_printf(out, " -s %s", letter);
        if (*value) {
            text_append(out, " -r");
            append_fish_values(value, out);
        }
        text_append(out, " -d ");
        append_quoted(option_table_text(option, "about"), out);
        text_append_char(out, '\n');
    }
}

static void write_fish(const json_t *commands, struct text *out) {
    size_t i;
    json_t *entry;
    text_append(out, "# Completion of warpgrade for fish, made by `warpgrade completions fish`.\n");
    json_array_foreach(commands, i, entry) if (is_command(entry)) {
        cleanup_text struct text subcommands = {0};
        const char *name = option_table_text(entry, "name");
        text_printf(out, "complete -c warpgrade -f -n __fish_use_subcommand -a %s -d ", name);
        append_quoted(option_table_text(entry, "summary"), out);
        append_names(commands, name, &subcommands);
        if (subcommands.length)
            text_printf(out,
                        "\ncomplete -c warpgrade -f -n '__fish_seen_subcommand_from %s; and not "
                        "__fish_seen_subcommand_from %s' -a '%s'",
                        name, text_string(&subcommands), text_string(&subcommands));
        text_append_char(out, '\n');
    }
    json_array_foreach(commands, i, entry) append_fish_entry(entry, out);
}

completion_writer *completion_writer_find(const char *shell) {
    static const struct {
        const char *name;
        completion_writer *write;
    } shells[] = {{"bash", write_bash}, {"zsh", write_zsh}, {"fish", write_fish}};
    for (size_t i = 0; i < ARRAY_LENGTH(shells); i++)
        if (strcmp(shells[i].name, shell) == 0)
            return shells[i].write;
    return NULL;
}
