"""Pages of the HTML report as a strict reader sees them: elements that are closed in their order, ids that
are there once, links that lead somewhere, one heading of the first rank a report, words for each drawing,
and nothing that a keyboard does not reach."""
import glob
import os
import sys
from html.parser import HTMLParser

VOID = {"meta", "br"}


class Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.faults, self.ids, self.links, self.titles = [], [], [], [], 0
        self.quiet = 0  # depth of what a screen reader leaves out or has one text for

    def fault(self, what):
        self.faults.append(f"line {self.getpos()[0]}: {what}")

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if "id" in attrs:
            self.ids.append(attrs["id"])
        if tag == "a":
            self.links.append(attrs.get("href", ""))
        if tag == "main":
            self.titles = 0
        self.titles += tag == "h1"
        if tag == "svg" and not self.quiet and not attrs.get("aria-label") and "aria-hidden" not in attrs:
            self.fault("a drawing without words")
        if tag == "th" and "scope" not in attrs:
            self.fault("a heading of no row or column")
        if attrs.get("class", "").split()[:1] in (["scroll"], ["code"]) and attrs.get("tabindex") != "0":
            self.fault("what scrolls cannot be reached with a keyboard")
        silent = attrs.get("role") == "img" or attrs.get("aria-hidden") == "true"
        if silent and attrs.get("role") == "img" and not attrs.get("aria-label"):
            self.fault("a picture without words")
        if tag not in VOID:
            self.open.append((tag, silent))
            self.quiet += silent

    def handle_startendtag(self, tag, attrs):
        if "svg" not in [name for name, _ in self.open]:
            self.fault(f"<{tag}/> outside of a drawing")

    def handle_endtag(self, tag):
        if not self.open or self.open[-1][0] != tag:
            self.fault(f"</{tag}> closes {self.open[-1][0] if self.open else 'nothing'}")
            return
        self.quiet -= self.open.pop()[1]
        if tag == "main" and self.titles != 1:
            self.fault(f"{self.titles} headings of the first rank")


faults = 0
golden = os.path.join(sys.argv[1], "tests/golden")
paths = sorted(glob.glob(os.path.join(golden, "reports/*.html")) + glob.glob(os.path.join(golden, "class/*.html")))
for path in paths:
    page = Page()
    with open(path, encoding="utf-8") as file:
        page.feed(file.read())
    page.close()
    if page.open:
        page.fault(f"<{page.open[-1][0]}> is never closed")
    for name in {name for name in page.ids if page.ids.count(name) > 1}:
        page.fault(f"the id {name} is there twice")
    has_files = os.path.basename(os.path.dirname(path)) == "class"  # it links to students' reports
    for link in {link for link in page.links if link[1:] not in page.ids and not (has_files and link[:1] != "#")}:
        page.fault(f"{link} leads nowhere")
    for what in page.faults[:5]:
        print(f"{os.path.basename(path)}: {what}")
    faults += len(page.faults)
sys.exit(faults > 0 or not paths)
