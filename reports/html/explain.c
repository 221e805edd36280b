/* The pages of `warpgrade explain` that something above links to, at the end of the file: the same
 * little Markdown that the terminal shows, as HTML. */
#include "reports/html/html.h"

#include "reports/explain.h"
#include "sandbox/base/memory.h"

#include <string.h>

/* The id that its text has in this file: one text may explain several. NULL where there are too
 * many. */
static const char *add_page(struct html *h, const struct explain_page *page) {
    for (size_t i = 0; i < h->page_count; i++)
        if (h->pages[i].body == page->body)
            return h->pages[i].id;
    if (h->page_count == HTML_MAX_PAGES)
        return NULL;
    h->pages[h->page_count] = *page;
    return h->pages[h->page_count++].id;
}

void html_explain_link(struct html *h, const char *id, enum html_string text) {
    struct explain_page page;
    if (explain_find(id, &page, NULL) != STATUS_OK)
        return;
    explain_translate(&page, (enum language)h->language);
    const char *target = add_page(h, &page);
    if (!target)
        return;
    html_printf(h, "<a class=\"explain\" href=\"#r%zux", h->number);
    html_foreign(h, target);
    html_raw(h, "\">");
    html_say(h, text, page.id, NULL);
    html_raw(h, "</a>");
}

/* ---- the little Markdown ----------------------------------------------------------------------
 */

struct body {
    struct html *h;
    const char *open; /* the element that is open: "p", "ul" or NULL */
    bool in_code;
};

/* `code` and **bold**. */
static void write_inline(struct html *h, const char *text, size_t length) {
    bool in_code = false, in_bold = false;
    for (size_t i = 0; i < length;) {
        if (text[i] == '`') {
            html_raw(h, in_code ? "</code>" : "<code>");
            in_code = !in_code;
            i++;
        } else if (!in_code && i + 1 < length && text[i] == '*' && text[i + 1] == '*') {
            html_raw(h, in_bold ? "</b>" : "<b>");
            in_bold = !in_bold;
            i += 2;
        } else {
            size_t end = i + 1;
            while (end < length && text[end] != '`' && text[end] != '*')
                end++;
            html_foreign_bytes(h, text + i, end - i);
            i = end;
        }
    }
    html_raw(h, in_code ? "</code>" : "");
    html_raw(h, in_bold ? "</b>" : "");
}

static void close_open(struct body *body) {
    if (body->open)
        html_printf(body->h, "%s</%s>\n", body->open[0] == 'u' ? "</li>" : "", body->open);
    body->open = NULL;
}

static void take_text(struct body *body, const char *line, size_t length) {
    bool item = strncmp(line, "- ", 2) == 0;
    if (item) {
        if (body->open && body->open[0] == 'u') {
            html_raw(body->h, "</li><li>");
        } else {
            close_open(body);
            html_raw(body->h, "<ul><li>");
            body->open = "ul";
        }
    } else if (!body->open) {
        html_raw(body->h, "<p>");
        body->open = "p";
    } else {
        html_raw(body->h, " ");
    }
    write_inline(body->h, line + (item ? 2 : 0), length - (item ? 2 : 0));
}

static void take_line(struct body *body, const char *line, size_t length) {
    struct html *h = body->h;
    if (strncmp(line, "```", 3) == 0) {
        close_open(body);
        html_raw(h, body->in_code ? "</pre>\n" : "<pre class=\"code\" tabindex=\"0\">");
        body->in_code = !body->in_code;
    } else if (body->in_code) {
        html_raw(h, "<span class=\"line\"><span>");
        html_foreign_bytes(h, line, length);
        html_raw(h, "</span></span>");
    } else if (!length) {
        close_open(body);
    } else if (strncmp(line, "## ", 3) == 0) {
        close_open(body);
        html_raw(h, "<h4>");
        write_inline(h, line + 3, length - 3);
        html_raw(h, "</h4>\n");
    } else {
        take_text(body, line, length);
    }
}

static void write_page(struct html *h, const struct explain_page *page) {
    struct body body = {.h = h};
    cleanup_text struct text summary = {0}, see = {0};
    explain_summary(page, &summary);
    html_raw(h, "<details class=\"card page\"><summary><b>");
    html_foreign(h, page->id);
    html_tagged(h, "</b> <span class=\"soft\">", text_string(&summary), "</span></summary>\n");
    html_printf(h, "<div id=\"r%zux", h->number); /* inside, so that a link to it opens the page */
    html_tagged(h, "", page->id, "\">\n");
    for (const char *line = page->body; *line;) {
        const char *end = strchrnul(line, '\n');
        take_line(&body, line, (size_t)(end - line));
        line = *end ? end + 1 : end;
    }
    close_open(&body);
    if (explain_head(page, "see", &see)) {
        html_raw(h, "<p class=\"soft\">");
        html_say(h, SAY_SEE_ALSO, text_string(&see), NULL);
        html_raw(h, "</p>");
    }
    html_raw(h, "</div></details>\n");
}

void html_explained(struct html *h) {
    if (!h->page_count)
        return;
    html_raw(h, "<section class=\"pages\"><h2>");
    html_say(h, SAY_EXPLANATIONS, NULL);
    html_raw(h, "</h2>\n");
    for (size_t i = 0; i < h->page_count; i++)
        write_page(h, &h->pages[i]);
    html_raw(h, "</section>\n");
}
