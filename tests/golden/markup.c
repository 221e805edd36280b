/* See markup.h. libxml2's HTML parser knows nothing of svg and says so; it builds the same tree. */
#include "tests/golden/markup.h"

#include "sandbox/base/memory.h"

#include <libxml/HTMLparser.h>
#include <stdio.h>
#include <string.h>

static const char *const elements[] = {
    "html",    "head",    "meta",       "title", "style",  "body",  "main", "header", "footer",
    "nav",     "section", "article",    "div",   "h1",     "h2",    "h3",   "h4",     "p",
    "ul",      "li",      "dl",         "dt",    "dd",     "a",     "b",    "i",      "u",
    "em",      "strong",  "small",      "span",  "code",   "br",    "pre",  "br",     "details",
    "summary", "figure",  "figcaption", "table", "thead",  "tbody", "tr",   "th",     "td",
    "svg",     "g",       "path",       "rect",  "circle", "sup",
};

static const char *const attributes[] = {
    "lang",     "charset", "name",  "content", "http-equiv", "class",
    "id",       "href",    "title", "role",    "aria-label", "aria-hidden",
    "tabindex", "style",   "scope", "colspan", "open",       "viewBox",
    "viewbox",  "x",       "y",     "width",   "height",     "rx",
    "cx",       "cy",      "r",     "d",       "transform",  "stroke-dasharray",
};

static bool is_known(const char *name, const char *const *names, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* Lengths only: nothing that loads, and nothing that covers the page. */
static bool is_plain_style(const char *style) {
    return strspn(style, "widthleftopmax-:;.0123456789%") == strlen(style) && strlen(style) < 60;
}

/* A path below the page's own folder: no scheme, no host, no way up. */
static bool is_relative(const char *path) {
    return *path && *path != '/' && *path != '.' && !strstr(path, "..") &&
           strspn(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/@+%") ==
               strlen(path);
}

static bool is_right_attribute(const xmlAttr *attribute, bool may_have_files,
                               char problem[MARKUP_PROBLEM_BYTES]) {
    const char *name = (const char *)attribute->name;
    xmlChar *value = xmlNodeListGetString(attribute->doc, attribute->children, 1);
    const char *text = value ? (const char *)value : "";
    bool right = is_known(name, attributes, ARRAY_LENGTH(attributes));
    if (strcmp(name, "href") == 0)
        right = text[0] == '#' || (may_have_files && is_relative(text));
    else if (strcmp(name, "style") == 0)
        right = is_plain_style(text);
    else if (strcmp(name, "class") == 0 || strcmp(name, "id") == 0)
        right = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-_ ABCDEFGHIJKLMNOPQRSTUVWXYZ") ==
                strlen(text);
    if (!right)
        snprintf(problem, MARKUP_PROBLEM_BYTES, "line %ld: %s=\"%.100s\"",
                 xmlGetLineNo(attribute->parent), name, text);
    xmlFree(value);
    return right;
}

static bool is_right(const xmlNode *node, bool may_have_files, char problem[MARKUP_PROBLEM_BYTES]) {
    for (; node; node = node->next) {
        if (node->type == XML_COMMENT_NODE || node->type == XML_PI_NODE) {
            snprintf(problem, MARKUP_PROBLEM_BYTES, "line %ld: a comment or an instruction",
                     xmlGetLineNo(node));
            return false;
        }
        if (node->type != XML_ELEMENT_NODE)
            continue;
        if (!is_known((const char *)node->name, elements, ARRAY_LENGTH(elements))) {
            snprintf(problem, MARKUP_PROBLEM_BYTES, "line %ld: <%.100s>", xmlGetLineNo(node),
                     (const char *)node->name);
            return false;
        }
        for (const xmlAttr *attribute = node->properties; attribute; attribute = attribute->next)
            if (!is_right_attribute(attribute, may_have_files, problem))
                return false;
        if (!is_right(node->children, may_have_files, problem))
            return false;
    }
    return true;
}

static bool is_ours(const char *html, size_t length, bool may_have_files,
                    char problem[MARKUP_PROBLEM_BYTES]) {
    htmlDocPtr document =
        htmlReadMemory(html, (int)length, "report.html", "UTF-8",
                       HTML_PARSE_NONET | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING);
    const xmlNode *root = document ? xmlDocGetRootElement(document) : NULL;
    snprintf(problem, MARKUP_PROBLEM_BYTES, "no page");
    bool right = root && is_right(root, may_have_files, problem);
    xmlFreeDoc(document);
    return right;
}

bool markup_is_ours(const char *html, size_t length, char problem[MARKUP_PROBLEM_BYTES]) {
    return is_ours(html, length, false, problem);
}

bool markup_is_ours_with_files(const char *html, size_t length,
                               char problem[MARKUP_PROBLEM_BYTES]) {
    return is_ours(html, length, true, problem);
}
