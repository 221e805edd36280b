"""The colours of the HTML report: is each pair of text and ground that style.css uses far enough apart
for weak eyes (WCAG 2.2, 1.4.3: 4.5; drawings, 1.4.11: 3), in both schemes?"""
import re
import sys

TEXT, DRAWING = 4.5, 3.0
PAIRS = [  # what stands on what
    ("ink", "ground", TEXT), ("ink", "card", TEXT), ("ink", "code", TEXT), ("ink", "bad-tint", TEXT),
    ("ink", "warn-tint", TEXT), ("ink", "blue-tint", TEXT), ("soft", "ground", TEXT),
    ("soft", "card", TEXT), ("soft", "code", TEXT), ("blue", "ground", TEXT), ("blue", "card", TEXT),
    ("blue", "blue-tint", TEXT), ("bad", "ground", TEXT), ("bad", "card", TEXT), ("bad", "bad-tint", TEXT),
    ("ok", "ground", TEXT), ("ok", "card", TEXT), ("ok", "ok-tint", TEXT), ("warn", "card", TEXT),
    ("warn", "warn-tint", TEXT), ("bad-fill", "card", DRAWING), ("bad-fill", "ok-fill", 1.5),
    ("blue-fill", "card", DRAWING), ("ok", "ground", DRAWING), ("bad", "line", DRAWING),
    ("ink", "ok-fill", TEXT), ("ground", "bad", TEXT), ("ink", "idle", TEXT), ("bad", "card", DRAWING),
]


def schemes(css):
    light = re.search(r":root \{(.*?)\}", css, re.S).group(1)
    dark = re.search(r"dark\) \{\s*:root \{(.*?)\}", css, re.S).group(1)
    colours = dict(re.findall(r"--([\w-]+): (#\w{6});", light))
    yield "light", colours
    yield "dark", {**colours, **dict(re.findall(r"--([\w-]+): (#\w{6});", dark))}


def luminance(colour):
    def linear(value):
        value /= 255
        return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
    red, green, blue = (linear(int(colour[i:i + 2], 16)) for i in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(a, b):
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


faults = 0
for name, colours in schemes(open(sys.argv[1], encoding="utf-8").read()):
    for text, ground, least in PAIRS:
        found = contrast(colours[text], colours[ground])
        if found < least:
            print(f"{name}: {text} on {ground} has a contrast of {found:.2f}, {least} is the least")
            faults += 1
sys.exit(faults > 0)
