"""What a student reads with --lang zh is Chinese: chinese.py WARPGRADE ROOT

Samples and kernels with mistakes are graded, profiled and simulated, exercises shown, pages explained,
and commands given that go wrong. Three English words that follow each other are a sentence that nobody has translated.
Left out is what has no language: lines of source, code between backticks, commands and their
options, the compiler's own words, and names.
"""
import html
import os
import re
import subprocess
import sys
import tempfile

WARPGRADE, ROOT = sys.argv[1:3]
SAMPLES = os.path.join(ROOT, "tests/samples")
GRADED = (  # each kind of end
    "vector-multiply/good", "vector-multiply/no-boundary-check", "vector-multiply/integer-product",
    "saxpy/off-by-one", "saxpy/half-precision", "saxpy/shared-temporary", "saxpy/broken", "saxpy/block-order",
    "saxpy/uncoalesced", "dot/divergent-barrier", "dot/early-return", "dot/uninitialized-tail")
KERNELS = {  # one mistake each; the launch is one block of 64 threads
    "mask.cu": "x[i] = i < 16 ? __shfl_down_sync(0xffffffff, x[i], 1) : 0;",
    "mask-other.cu": "if (i < 16) x[i] = __shfl_down_sync(0xffff0000, x[i], 1);",
    "spin.cu": "volatile float *f = x; while (f[0] == 0.0f) { }",
    "counted.cu": 'if (i < 32) asm volatile("bar.sync 1, 64;"); x[i] = 1;',
    "trap.cu": "if (x[i] == 5) __trap();",
    "assert.cu": "assert(x[i] < 5);",
    "beyond.cu": "x[i + 1] = 1;",
    "race.cu": "__shared__ float s[64]; s[i] = x[i]; x[i] = s[63 - i];",
    "unset.cu": "__shared__ float s[64]; x[i] = s[i];",
    "half-way.cu": "if (i < 32) __syncthreads(); x[i] = 1;",
    "host.cu": "x[i] = threadidx.x;",
    "semicolon.cu": "x[i] = 1",
    "header.cu": "#include <windows.h>\n",
    "recursion.cu": "x[i] = deep(i);",
    "endless.cu": "for (int j = 0; j >= 0; j = (j + 1) & 1023) x[i] += j;",
    "far.cu": "float *p = x + 8; p[i * 64 * 1024] = 1;",
    "odd.cu": "x[i] = ((float2 *)(x + 1))[i / 4].x;",
    "free-twice.cu": "float *p = (float *)malloc(64); if (i == 0) { free(p); free(p); }",
    "free-middle.cu": "float *p = (float *)malloc(64); if (p) free(p + 1);",
    "free-parameter.cu": "if (i == 0) free(x);",
    "freed.cu": "float *p = (float *)malloc(64); p[0] = i; free(p); x[i] = p[0];",
    "left.cu": "if (i >= 40) return; __syncthreads(); x[i] = 1;",
    "two-barriers.cu": "if (i < 32) { __syncthreads(); x[i] = 1; } else { __syncthreads(); x[i] = 2; }",
    "order.cu": "__shared__ float s[64]; if (i < 32) s[i] = 1; x[i] = s[i];",
    "nothing.cu": "float y = 0; for (int j = 0; j < 1000; j++) y += x[j % 64];",
}
BEFORE = "#include <assert.h>\n__device__ int deep(int n) { volatile int a[64]; a[n & 63] = n; return deep(n + 1) + a[0]; }\n"
SETTINGS = (  # wrong ones, of warpgrade.yaml
    "exercise: dto\n", "exercise: zzzzzz\n", "engine: sim\n", "exercise: dot\nlanguag: zh\n", "exercise: dot\nxyzzy: 1\n",
    "exercise: dot\nengine: gpu\n", "exercise: dot\nengine: ''\ndevice: [a]\n", "exercise:\n", "exercise: {a: b}\n",
    "exercise: dot\nexercise: dot\n", "exercise: saxpy\n", "\texercise: dot\n", "[a, b]\n", "", "exercise: &a dot\n",
    "exercise: !!str dot\n", "exercise: *a\n", "exercise: dot\n---\nexercise: dot\n", "exercise: [dot\n")
LAUNCH = ["--grid", "1", "--block", "64"]
COMPILER = re.compile(r"variable \"[^\"]*\" was declared but never referenced|\S+: No such file or directory|identifier \"[^\"]*\" is undefined|expected a \"[^\"]*\"|could(?: not|n't) open source file.*"
                      r"|cannot open source file.*|recursion|NVRTC.*")
SENTENCE = re.compile(r"(?<![\w-])[A-Za-z][a-z']+(?: [A-Za-z]?[a-z']+){2,}")


def english(line):
    """An English sentence in the line, or None."""
    if re.match(r"\s*(?:[\d.]+%)?\s*>?\s*\d* +\|", line) or re.match(r"\s*\d[\d.]*% ", line):
        return None
    line = re.sub(r"`[^`]*`|warpgrade [a-z]+|https?://\S+|\([^)（）]*\)", "", line)
    line = COMPILER.sub("", line)
    if re.match(r"  grid    |CUDA C\+\+ 编程指南", line):  # an expression; a chapter's name
        return None
    found = SENTENCE.search(line)
    return found.group() if found else None


def run(folder, *arguments, below="."):
    """A student whose record of attempts is in the folder."""
    result = subprocess.run([WARPGRADE, *arguments], capture_output=True, text=True, timeout=120, check=False,
                            cwd=os.path.join(folder, below), stdin=subprocess.DEVNULL,
                            env=dict(os.environ, HOME=folder, XDG_STATE_HOME=folder, XDG_DATA_HOME=folder))
    return result.stdout + result.stderr


def page_texts(page):
    """What a page shows, in pieces, and its labels; without code and without what the exercise is called."""
    page = re.sub(r"<(style|code|pre|samp)\b.*?</\1>", "", page, flags=re.DOTALL)
    page = re.sub(r"<section[^>]*class=\"explained\".*?</section>", "", page, flags=re.DOTALL)
    return [html.unescape(piece).strip() for piece in re.findall(r">([^<>]+)<|(?:aria-label|title|alt)=\"([^\"]*)\"", page)
            for piece in piece]


def pages(folder):
    """Samples with a page each. A piece without a Chinese character is a name, a number or English."""
    for row in ("saxpy/uncoalesced", "saxpy/off-by-one", "dot/divergent-barrier", "saxpy/shared-temporary", "saxpy/broken"):
        path = os.path.join(folder, "page.html")
        run(folder, "grade", "--lang", "zh", "--seed", "1", "--engine", "sim", "--no-record", "--report", "html=" + path,
            os.path.join(SAMPLES, row + ".cu"))
        with open(path, encoding="utf-8") as file:
            for piece in page_texts(file.read()):
                if re.search(r"[A-Za-z]{2,} [A-Za-z]{2,}", COMPILER.sub("", piece)) and not re.search("[\u4e00-\u9fff]", piece):
                    yield row, piece


def numbers(text):
    """Those of the first finding's message: places and counts, but for the size of an access."""
    message = re.search(r"^[✗!] .*\n((?:  .*[^|\s].*\n)*?)(?= *>? *\d+ \||  \S+ {3,}|$)", text, re.MULTILINE)
    said = re.sub(r"\bof \d+ bytes?\b|on \d+ bytes?\b", "", message.group(1)) if message else ""
    return set(re.findall(r"(?<![\w.])\d+", said))


def mistakes(folder):
    """Commands in the wrong folder, for files that are not there, and with wrong settings."""
    def outcome(*arguments, below="wrong"):
        return " ".join(arguments), run(folder, *arguments, below=below)
    os.makedirs(os.path.join(folder, "wrong/empty"))
    yield outcome("grade", "--lang", "zh")
    yield outcome("grade", "--lang", "zh", "empty")
    yield outcome("hint", "--lang", "zh")
    yield outcome("hint", "--lang", "zh", "dto")
    yield outcome("new", "--lang", "zh", "dot", "dot")
    yield outcome("grade", "--lang", "zh")
    yield outcome("grade", "--lang", "zh", "dot.cu")
    yield outcome("grade", "--lang", "zh", "dto.cu")
    yield outcome("grade", "--lang", "zh", ".")
    yield outcome("grade", "--lang", "zh", "dot", "--watch")
    yield outcome("grade", "--lang", "zh", "no/dot.cu", "--watch")
    yield outcome("grade", "--lang", "zh", "dot.cu/" + "x" * 300)
    yield outcome("show", "--lang", "zh", "dot", "--solution")
    yield outcome("compare", "--lang", "zh", "a.cu", "b.cu")
    with open(os.path.join(folder, "wrong/helper.cu"), "w", encoding="utf-8") as file:
        file.write("int x;\n")
    yield outcome("grade", "--lang", "zh")
    yield outcome("grade", "--lang", "zh", ".")
    yield outcome("grade", "--lang", "zh", "helper.cu")
    yield outcome("compare", "--lang", "zh", "helper.cu", "helper.cu")
    for text in SETTINGS:
        with open(os.path.join(folder, "wrong/dot/warpgrade.yaml"), "w", encoding="utf-8") as file:
            file.write(text)
        for command in ("grade", "hint"):
            name, said = outcome(command, "--lang", "zh", below="wrong/dot")
            yield f"{text!r}: {name}", said
    with open(os.path.join(folder, "wrong/dot/warpgrade.yaml"), "w", encoding="utf-8") as file:
        file.write("exercise: dto\nlanguage: zh\n")
    yield outcome("grade", below="wrong/dot")  # the settings' own language


def outputs(folder):
    """Commands with what they print."""
    found = []

    def add(*arguments):
        found.append((" ".join(arguments), run(folder, *arguments)))
    add("grade", "--lang", "zh", "-v", "--seed", "1", "--engine", "sim",
        *(os.path.join(SAMPLES, row + ".cu") for row in GRADED))
    for name, body in KERNELS.items():
        path = os.path.join(folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(BEFORE + "__global__ void k(float *x) {\n    int i = threadIdx.x;\n    " + body + "\n}\n")
        options = (path, *LAUNCH, "--arg", "f32[64]=iota", "--schedules", "2", "--budget", "2000000")
        add("sim", "--lang", "zh", *options)
        missing = numbers(run(folder, "sim", *options)) - numbers(found[-1][1])
        if missing:
            found.append((f"{name}: {missing} are in the English message and not in", found[-1][1] + " no such number is in"))
    good = os.path.join(folder, "race.cu")
    add("sim", "--lang", "zh", good, *LAUNCH)
    add("sim", "--lang", "zh", good, *LAUNCH, "--arg", "i32=1")
    add("sim", "--lang", "zh", good, "--grid", "1", "--block", "2048", "--arg", "f32[64]=iota")
    add("sim", "--lang", "zh", os.path.join(folder, "no.cu"), *LAUNCH)
    add("sim", "--lang", "zh", good, *LAUNCH, "--arg", "f32[64]=iota", "--device", "h200", "--sample", "1000")
    add("sim", "--lang", "zh", good, *LAUNCH, "--arg", "f32[64]=iota", "--kernel", "other")
    for sample in ("saxpy/uncoalesced", "saxpy/broken"):
        add("profile", "--lang", "zh", os.path.join(SAMPLES, sample + ".cu"))
    add("profile", "--lang", "zh", "--tuned", "-e", "reduce-shuffle", "--device", "t4")
    add("profile", "--lang", "zh", "-e", "no-such", good)
    add("profile", "--lang", "zh", "--device", "no-such", "-e", "dot", good)
    for exercise in ("dot", "matmul-tiled", "scan"):
        add("show", "--lang", "zh", exercise)
    add("show", "--lang", "zh", "no-such")
    add("list", "--lang", "zh")
    add("next", "--lang", "zh")
    add("progress", "--lang", "zh")
    add("new", "--lang", "zh", "dot", folder)
    add("new", "--lang", "zh", "dot", folder)
    for _ in range(2):  # an untouched skeleton, and what has changed since
        add("grade", "--lang", "zh", "--seed", "1", "--cases", "one-block", os.path.join(folder, "dot.cu"))
    add("explain", "--lang", "zh")
    add("explain", "--lang", "zh", "no-such")
    for page in ("shared-race", "deadlock", "time_ms", "latency-bound", "too-slow"):
        add("explain", "--lang", "zh", page)
    return found + list(mistakes(folder))


def main():
    # the detector itself must notice
    assert english("the kernel does not end") and not english("  > 7 | the kernel does not end")
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        for command, text in outputs(folder):
            if not re.search("[\u4e00-\u9fff]", text):
                print(f"{command}: no Chinese in\n{text[:400]}")
                faults += 1
            for line in text.split("\n"):
                said = english(line)
                if said:
                    print(f"{command[:90]}\n    \"{said}\" in: {line}")
                    faults += 1
        for row, piece in pages(folder):
            print(f"the page of {row}: {piece}")
            faults += 1
    return faults > 0


sys.exit(main())
