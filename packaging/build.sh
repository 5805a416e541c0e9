#!/usr/bin/env bash
# Builds what is published: a static program, an archive, a Debian package and a container image,
# with their checksums and the manifest of `recto update`.
#
#   packaging/build.sh [OUT]            into OUT, else target/packages
#
# Wants Rust with the target (`rustup target add x86_64-unknown-linux-musl`), a C compiler for it
# (Debian: musl-tools), LLVM's C library (libllvmlibc-19-dev), what packaging/profile.sh wants,
# valgrind, and dpkg-deb for the Debian package.
# Two builds of one commit with the same PROFDATA, order and version of that library are the same.
#
#   TARGET=…       another platform; CC_…, AR_… and CARGO_TARGET_…_LINKER name its tools, as cargo knows
#                  them, and STRIP its strip. docs/guides/running-a-server.md has an example
#   RUNNER=…       runs a program of that platform here, for its man pages: qemu-aarch64-static
#   PROFILE=…      another profile of cargo than dist
#   PROFDATA=FILE  what packaging/profile.sh made for this commit; `none` builds without, which makes
#                  the program larger and slower. Unless given, it is made and put into OUT. The order
#                  of functions is kept beside it, in FILE.order
#   PROGRAM=FILE   packs this program of the target instead of building one, to try the rest
#   COMPRESSION=1  packs faster, into larger files
#   RELEASE_KEY=…  the private key that signs the manifest, see docs/UPDATES.md; without it there is
#                  no manifest
#   RELEASE_URL=…  where the program will be published, for the manifest
set -euo pipefail
cd "$(dirname "$0")/.."

target=${TARGET:-x86_64-unknown-linux-musl}
profile=${PROFILE:-dist}
out=$(realpath -m "${1:-target/packages}")
version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}

case $target in
    x86_64-*) deb_arch=amd64 oci_arch=amd64 ;;
    aarch64-*) deb_arch=arm64 oci_arch=arm64 ;;
    *) echo "there is no package for $target" >&2; exit 2 ;;
esac

need_valgrind() {
    command -v valgrind >/dev/null || { echo "there is no valgrind (Debian: valgrind)" >&2; exit 1; }
}

find_llvm_libc() { # its newest version
    compgen -G '/usr/lib/llvm-*/lib/libllvmlibc.a' | sort -V | tail -1
}
need_llvm_libc() {
    [ -n "$(find_llvm_libc)" ] || { echo "there is no C library of LLVM (Debian: libllvmlibc-19-dev)" >&2; exit 1; }
}

# Links with the functions of LLVM's C library that copy, fill and compare memory. Those of musl take
# several times as long for the few bytes that are copied nearly always: a quarter of the program's own
# time for a request.
use_memory_functions() {
    local library names=(memcpy memmove memset memcmp bcmp) made
    library=$(find_llvm_libc)
    made=$(realpath -m "${CARGO_TARGET_DIR:-target}")/memory
    mkdir -p "$made"
    (cd "$made" && ar x "$library" "${names[@]/%/.cpp.o}")
    export RECTO_MEMORY_FUNCTIONS=$made
    RUSTFLAGS+=" -Clinker=$PWD/packaging/cc-link.sh"
}

# Builds with a profile of twenty minutes. Functions of which nothing ran a thousand times in it are
# made small: they are compiled for size alone, and have frame pointers, with which the tables for
# unwinding need one line instead of one for each push. Instructions that repeat themselves there are
# moved into functions. Functions that are the same are linked once. Those that run at each start are
# beside each other, and then those that ran at all: an idle server has the pages of the first in memory.
use_profile() { # PROFDATA
    [ -s "$1.order" ] || need_valgrind
    local libdir made
    made=$(realpath -m "${CARGO_TARGET_DIR:-target}")/profile
    libdir=$(rustc --print target-libdir)
    mkdir -p "$made"
    # The name of a function may follow that of its file, and be there several times.
    "$libdir/../bin/llvm-profdata" show --all-functions --counts "$1" | awk '
        /^  [^ ].*:$/ { name = $1; sub(/^[^;]*;/, "", name); sub(/:$/, "", name) }
        /Block counts:/ {
            sub(/.*: /, "")
            n = split($0, counts, /[^0-9]+/)
            for (i = 1; i <= n; i++) if (counts[i] + 0 >= most[name] + 0) most[name] = counts[i] + 0
        }
        END { for (name in most) print most[name], name }' | sort -k1,1nr -k2,2 >"$made/counts"
    awk '$1 < 1000 { print $2 ",minsize"; print $2 ",frame-pointer=all" }' "$made/counts" \
        >"$made/attributes"
    awk '$1 > 0 { print $2 }' "$made/counts" >"$made/ran"
    RUSTFLAGS+=" -Cprofile-use=$1 -Cllvm-args=-profile-summary-cutoff-cold=999900"
    RUSTFLAGS+=" -Cllvm-args=-inline-cold-callsite-threshold=5"
    RUSTFLAGS+=" -Cllvm-args=-forceattrs-csv-path=$made/attributes"
    RUSTFLAGS+=" -Cllvm-args=-enable-machine-outliner=conservative-pgo"
    RUSTFLAGS+=" -Clink-arg=-B$libdir/../bin/gcc-ld -Clink-arg=-fuse-ld=lld -Clink-arg=-Wl,--icf=all,-O2"
    export RECTO_START_ORDER=$1.order RECTO_RAN_ORDER=$made/ran
    export RUSTC_WRAPPER=$PWD/packaging/rustc-quiet.sh
}

build_program() {
    local commit folder=$profile profdata=${PROFDATA:-} is_published=
    # Programs that only tests need, and those of other targets, do without a profile, which comes from
    # running a program of the same target, and with the functions for memory of their C library.
    [[ $profile != dist || $target != x86_64-unknown-linux-musl ]] || is_published=1
    [ -z "$is_published" ] || need_llvm_libc
    if [[ -z $profdata && -n $is_published ]]; then
        profdata=$out/recto-$version.profdata
        need_valgrind
        packaging/profile.sh "$profdata"
    fi
    commit=$(git rev-parse --short=12 HEAD)
    git diff --quiet HEAD || commit=$commit-modified
    export RECTO_COMMIT=$commit
    RECTO_BUILD_DATE=$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%d)
    export RECTO_BUILD_DATE
    # Paths of the machine that builds do not belong into the program.
    local cargo_home=${CARGO_HOME:-$HOME/.cargo} sources
    export RUSTFLAGS="${RUSTFLAGS:-} --remap-path-prefix=$PWD=recto --remap-path-prefix=$cargo_home=cargo"
    for sources in "$cargo_home"/registry/src/*; do RUSTFLAGS+=" --remap-path-prefix=$sources=crates"; done
    if [[ $target == x86_64-unknown-linux-musl ]]; then
        export CC_x86_64_unknown_linux_musl=${CC_x86_64_unknown_linux_musl:-musl-gcc}
        # The addresses that are fixed when the program starts, packed: two megabytes less.
        RUSTFLAGS+=" -Clink-arg=-Wl,-z,pack-relative-relocs"
    fi
    [ -z "$is_published" ] || use_memory_functions
    # Linux on ARM may have pages of 64 KiB, and an allocator for smaller ones does not start there.
    [[ $target != aarch64-* ]] || export JEMALLOC_SYS_WITH_LG_PAGE=16
    [ "${profdata:-none}" = none ] || use_profile "$(realpath "$profdata")"
    cargo build --locked --profile "$profile" --target "$target" --bin recto
    [ "$profile" != dev ] || folder=debug
    program=${CARGO_TARGET_DIR:-target}/$target/$folder/recto
}
program=${PROGRAM:-}
[ -n "$program" ] || build_program

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"
name=recto-$version-$target

# ---- the program and what belongs to it ----
stage=$work/$name
mkdir -p "$stage/completions"
install -m 755 "$program" "$stage/recto"
strip_tool=${STRIP:-strip}
[[ $profile == dist && -z ${PROGRAM:-} ]] || "$strip_tool" "$stage/recto"
run=(${RUNNER:+"$RUNNER"} "$stage/recto")
"${run[@]}" man-pages "$stage/man"
for shell in bash zsh fish; do "${run[@]}" completions $shell >"$stage/completions/recto.$shell"; done
cp README.md CHANGELOG.md LICENSE-APACHE LICENSE-MIT packaging/recto.toml \
    packaging/recto.service packaging/recto.socket "$stage"
cp "$stage/recto" "$out/$name"

# An archive in which nothing depends on the time, the user or the order of files.
pack() { # FOLDER NAMES...: a tar file on standard output
    tar --create --directory "$1" --sort=name --format=gnu --owner=0 --group=0 --numeric-owner \
        --mode=u+rwX,go+rX,go-w --mtime="@$SOURCE_DATE_EPOCH" "${@:2}"
}
pack "$work" "$name" | gzip "-${COMPRESSION:-9}" -n >"$out/$name.tar.gz"

# ---- the Debian package ----
if command -v dpkg-deb >/dev/null; then
    packaging/build-deb.sh "$stage" "$version" "$deb_arch" "$out/recto_${version}_$deb_arch.deb"
else
    echo "skipped: there is no dpkg-deb, so no Debian package"
fi

# ---- the container image ----
packaging/build-image.sh "$stage/recto" "$version" "$oci_arch" "$out/$name-image.tar"

# ---- checksums and manifest ----
if [ -n "${RELEASE_KEY:-}" ]; then
    packaging/write-manifest.sh "$out/$name" "$version" "$target" "$RELEASE_KEY" \
        "${RELEASE_URL:-https://releases.example.org}/$name" >"$out/latest.json"
fi
(cd "$out" && shopt -s nullglob &&
    sha256sum "$name"* recto_"$version"_*.deb recto-"$version".profdata* >SHA256SUMS)
ls -l "$out" | awk 'NR > 1 { printf "%11.2f MB  %s\n", $5 / 1e6, $9 }'
