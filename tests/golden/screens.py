"""Pages of the HTML report as a browser shows them, against small pictures of how they looked.

screens.py ROOT CHROMIUM [--update]: each page is drawn at a fifth of its size in a font that a machine
can be given, made grey and averaged over squares, so that another version of the browser or the font
passes and a picture that is missing does not. PNG is read and written here (RFC 2083), because a
picture library is no part of a fresh machine.
"""
import os
import struct
import subprocess
import sys
import tempfile
import zlib

ROOT, CHROMIUM = sys.argv[1], sys.argv[2]
UPDATE = "--update" in sys.argv
GOLDEN = os.path.join(ROOT, "tests/golden")
SCALE, SQUARE = 0.2, 4
SHOTS = [  # page, width, height, dark
    ("reports/pictured-hazards", 1280, 1500, False), ("reports/pictured-hazards", 390, 1700, True),
    ("reports/last-column", 1280, 1500, False), ("reports/pictured-speed", 1280, 1900, True),
    ("reports/pictured-speed", 390, 2900, False), ("reports/last-column", 390, 1700, True),
    ("class/full", 1280, 1700, False), ("class/full", 390, 1700, True),
]
MUCH, MOST_SQUARES = 24, 8  # grey levels of 255; squares that may differ by more
FONT = "--sans: DejaVu Sans; --mono: DejaVu Sans Mono;"


def write_page(fixture, folder):
    """The golden page with its style."""
    style = ""
    for sheet in ["html/style.css"] + ["class/class.css"] * fixture.startswith("class/"):
        with open(os.path.join(ROOT, "reports", sheet), encoding="utf-8") as file:
            style += file.read()
    style += ":root { " + FONT + " }\n"
    with open(os.path.join(GOLDEN, fixture + ".html"), encoding="utf-8") as file:
        text = file.read().replace("<style></style>", "<style>\n" + style + "</style>")
    os.makedirs(os.path.join(folder, os.path.dirname(fixture)), exist_ok=True)
    with open(os.path.join(folder, fixture + ".html"), "w", encoding="utf-8") as file:
        file.write(text)


def frame(left, fixture, width, height, dark):
    """A page inside a frame is as wide and as dark as its frame says."""
    return (f'<iframe src="{fixture}.html" style="position: absolute; left: {left}px; top: 0; width: '
            f'{width}px; height: {height}px; border: 0; color-scheme: {"dark" if dark else "light"}">'
            "</iframe>")


def shoot(folder):
    """All of them side by side, because a browser takes seconds to start. A list of pictures."""
    lefts, left = [], 0
    for _, width, _, _ in SHOTS:
        lefts.append(left)
        left += width
    path, highest = os.path.join(folder, "shot.png"), max(shot[2] for shot in SHOTS)
    with open(os.path.join(folder, "frames.html"), "w", encoding="utf-8") as file:
        file.write('<!doctype html><body style="margin: 0; transform-origin: 0 0; transform: '
                   f'scale({SCALE})">')
        file.write("".join(frame(left, *shot) for left, shot in zip(lefts, SHOTS)))
    for fixture in {shot[0] for shot in SHOTS}:
        write_page(fixture, folder)
    subprocess.run([
        CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
        "--disable-extensions", "--disable-background-networking", "--no-first-run",
        f"--user-data-dir={folder}/profile", "--force-device-scale-factor=1",
        f"--window-size={round(left * SCALE)},{round(highest * SCALE)}", f"--screenshot={path}",
        f"file://{folder}/frames.html"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60, check=True)
    columns, _, grey = read_png(path)
    for left, (_, width, height, _) in zip(lefts, SHOTS):
        x, right, rows = round(left * SCALE), round(width * SCALE), round(height * SCALE)
        yield right, rows, b"".join(grey[y * columns + x:y * columns + x + right] for y in range(rows))


def undo_filter(kind, line, above, size):
    for i in range(len(line)):
        left = line[i - size] if i >= size else 0
        corner = above[i - size] if i >= size else 0
        if kind == 1:
            guess = left
        elif kind == 2:
            guess = above[i]
        elif kind == 3:
            guess = (left + above[i]) // 2
        else:
            p = left + above[i] - corner
            a, b, c = abs(p - left), abs(p - above[i]), abs(p - corner)
            guess = left if a <= b and a <= c else above[i] if b <= c else corner
        line[i] = (line[i] + guess) & 255


def read_png(path):
    """Width, height and a byte of grey for each pixel; of 8 bits, not interlaced."""
    with open(path, "rb") as file:
        data = file.read()
    at, packed = 8, b""
    while at < len(data):
        length, name = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if name == b"IHDR":
            width, height, _, colour = struct.unpack(">IIBB", body[:10])
        elif name == b"IDAT":
            packed += body
        at += length + 12
    size = {0: 1, 2: 3, 6: 4}[colour]
    raw, above, grey = zlib.decompress(packed), bytearray(width * size), bytearray()
    for y in range(height):
        start = y * (width * size + 1)
        line = bytearray(raw[start + 1:start + 1 + width * size])
        if raw[start]:
            undo_filter(raw[start], line, above, size)
        above = line
        if size == 1:
            grey += line
        else:
            grey += bytes((line[i] * 54 + line[i + 1] * 183 + line[i + 2] * 19) >> 8
                          for i in range(0, len(line), size))
    return width, height, bytes(grey)


def write_png(path, width, height, grey):
    lines = b"".join(b"\0" + grey[y * width:(y + 1) * width] for y in range(height))

    def chunk(name, body):
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" +
                   chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)) +
                   chunk(b"IDAT", zlib.compress(lines, 9)) + chunk(b"IEND", b""))


def squares(width, height, grey):
    """The mean grey of each square."""
    for top in range(0, height - SQUARE + 1, SQUARE):
        for left in range(0, width - SQUARE + 1, SQUARE):
            yield sum(sum(grey[(top + y) * width + left:(top + y) * width + left + SQUARE])
                      for y in range(SQUARE)) / SQUARE ** 2


def fault(shot, golden):
    if shot[:2] != golden[:2]:
        return f"is {shot[0]} x {shot[1]}, not {golden[0]} x {golden[1]}"
    off = [abs(a - b) for a, b in zip(squares(*shot), squares(*golden))]
    many = sum(d > MUCH for d in off)
    if many > MOST_SQUARES:
        return (f"looks different: {many} of {len(off)} squares by more than {MUCH} grey levels; "
                "screens.py ROOT CHROMIUM --update draws it again")
    return None


faults = 0
with tempfile.TemporaryDirectory() as temporary:
    shots = list(shoot(temporary))
for (fixture, width, _, dark), shot in zip(SHOTS, shots):
    name = f"{fixture.removeprefix('reports/').replace('/', '-')}-{width}-{'dark' if dark else 'light'}.png"
    golden = os.path.join(GOLDEN, "screens", name)
    if UPDATE:
        write_png(golden, *shot)
        continue
    what = fault(shot, read_png(golden))
    if what:
        print(f"{name} {what}")
        faults += 1
sys.exit(faults > 0)
