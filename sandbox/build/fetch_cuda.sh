#!/bin/sh
# Fetches NVRTC, nvcc with ptxas, and CUDA's headers: what compiles kernels and whole programs where there is
# no CUDA toolkit (nvcc needs the system's g++ as well). They are NVIDIA's own wheels, pinned by version and
# hash, under NVIDIA's licence (LICENSE.nvidia.txt among them).
#
#   fetch-cuda [FOLDER]     default: beside an installed program, where you can write there
#                           (PREFIX/lib/warpgrade/cuda; /usr/local/lib/warpgrade/cuda for PREFIX /usr), else
#                           ~/.local/share/warpgrade/cuda. The program looks in all of them.
#   fetch-cuda --wheels     prints which wheels these are
#
# pip only downloads, so that an externally managed Python does not mind; which mirror it asks is its own
# configuration's business. FOLDER appears whole or not at all.
# Exit codes: 0 done, 2 usage, 3 something is missing.
set -u

# NVIDIA's wheels of CUDA 13.0, pinned by version and SHA-256 (x86_64, then aarch64).
cuda_wheels() {
    cat <<'WHEELS'
nvidia-cuda-nvrtc==13.0.88 --hash=sha256:ad9b6d2ead2435f11cbb6868809d2adeeee302e9bb94bcf0539c7a40d80e8575 --hash=sha256:d27f20a0ca67a4bb34268a5e951033496c5b74870b868bacd046b1b8e0c3267b
nvidia-cuda-runtime==13.0.96 --hash=sha256:7f82250d7782aa23b6cfe765ecc7db554bd3c2870c43f3d1821f1d18aebf0548 --hash=sha256:ef9bcbe90493a2b9d810e43d249adb3d02e98dd30200d86607d8d02687c43f55
nvidia-cuda-crt==13.0.88 --hash=sha256:2c8043c7c9e02492716426e9919fc78d2c5b3b2a7a768a88e952676b08aa55a4 --hash=sha256:ee2ea2a97073e02ee62bb27841f437332be2c248e3eac013df07997ada39c003
nvidia-cuda-cccl==13.0.85 --hash=sha256:e0da7ad981f3a8aff08241b5bfc1af868742a63e2762f53a5171c492ef242649 --hash=sha256:6f0203e29fed809ee2b7fe9b1344df66ecab990c37d6a2e0e189b26d6c97ed7c
nvidia-cuda-nvcc==13.0.88 --hash=sha256:56fe502eb77625a12f25172caa3cdddb4e4c8ba2c8c17dba44b164761b380f03 --hash=sha256:c7ff28f86a24effdc6c034fa15230c549a273e4771b10a7fec14996f8cf3307f
nvidia-nvvm==13.0.88 --hash=sha256:c5f41ffeb6466944a026dfa5317d7d85355c119bbec279205d22f1869d1054e0 --hash=sha256:c4376a291d72d22a315d9d2f69bdae8f8cd83a627f75bad395cee49a0fe65dc1
WHEELS
}

fail() {
    for line in "$@"; do
        printf 'fetch-cuda: %s\n' "$line" >&2
    done
    exit 3
}

# Unpacks the wheels' part that a grader needs into one prefix, laid out as a toolkit. NVRTC's second
# library (.alt), nvcc's as a library (libnvvm) and the static runtime are left out: 210 MB that nothing
# here opens. libcudadevrt is on nvcc's line for the linker.
cuda_unpack='
import pathlib, sys, zipfile
wheels, prefix = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
kept = {"libnvrtc.so", "libnvrtc-builtins.so", "libcudart.so"}
for wheel in sorted(wheels.glob("*.whl")):
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            parts = pathlib.PurePosixPath(name).parts
            if len(parts) < 4 or parts[0] != "nvidia" or name.endswith("/") or ".." in parts:
                continue
            inner = pathlib.Path(*parts[2:])
            wanted = (inner.parts[0] == "include"
                      or inner.parts[0] == "lib" and inner.name.split(".so")[0] + ".so" in kept
                      or inner == pathlib.Path("lib/libcudadevrt.a")
                      or inner.parts[0] in ("bin", "nvvm"))
            if wanted:
                target = prefix / inner
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(archive.read(name))
                if inner.parent.name == "bin":
                    target.chmod(0o755)
        for name in archive.namelist():
            if name.endswith("/licenses/License.txt"):
                (prefix / "LICENSE.nvidia.txt").write_bytes(archive.read(name))
for library in (prefix / "lib").glob("libcudart.so.*"):
    (prefix / "lib" / "libcudart.so").symlink_to(library.name)
(prefix / "lib64").symlink_to("lib")
'

# A folder that can be written to, or that can be made in one.
can_have() {
    folder=$1
    while [ ! -e "$folder" ]; do
        folder=$(dirname "$folder")
    done
    [ -d "$folder" ] && [ -w "$folder" ]
}

default_folder() {
    here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P) || return 1
    case $here in
    /usr/libexec/warpgrade) set -- /usr/local/lib/warpgrade/cuda ;;
    */libexec/warpgrade) set -- "${here%/libexec/warpgrade}/lib/warpgrade/cuda" ;;
    *) set -- /usr/local/lib/warpgrade/cuda ;;
    esac
    if can_have "$1"; then
        printf '%s\n' "$1"
    else
        printf '%s\n' "${XDG_DATA_HOME:-$HOME/.local/share}/warpgrade/cuda"
    fi
}

case ${1:-} in
--wheels)
    cuda_wheels
    exit 0
    ;;
-*)
    printf 'usage: fetch-cuda [FOLDER]\n' >&2
    exit 2
    ;;
'') prefix=$(default_folder) || fail 'cannot find the folder of this script' ;;
*) prefix=$1 ;;
esac
python3 -m pip --version >/dev/null 2>&1 ||
    fail "pip is missing: apt-get install python3-pip, or install a CUDA toolkit and point CUDA_HOME at it"
umask 022 # others may read it, and none but you may change what compiles your grades
staging=$prefix.new
rm -rf "$staging"
mkdir -p "$staging/wheels" || fail "cannot write to $(dirname "$prefix")"
trap 'rm -rf "$staging"' EXIT
cuda_wheels >"$staging/wheels.txt"
if ! python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: \
    --require-hashes --requirement "$staging/wheels.txt" --dest "$staging/wheels" ||
    ! python3 -c "$cuda_unpack" "$staging/wheels" "$staging"; then
    fail "NVRTC could not be fetched; pip's reason stands above." \
        "Either give pip access to a package index, or install the CUDA toolkit and point CUDA_HOME at it."
fi
rm -rf "$staging/wheels" "$prefix"
mv "$staging" "$prefix" || fail "cannot write to $prefix"
printf 'fetch-cuda: NVRTC and nvcc are in %s\n' "$prefix"
