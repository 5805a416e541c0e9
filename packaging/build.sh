#!/usr/bin/env bash
# Builds what is published: a static program, an archive, a Debian package and a container image,
# with their checksums and the manifest of `recto update`.
#
#   packaging/build.sh [OUT]            into OUT, else target/packages
#
# Wants Rust with the target (`rustup target add x86_64-unknown-linux-musl`), a C compiler for it
# (Debian: musl-tools), what packaging/profile.sh wants, and dpkg-deb for the Debian package. Two
# builds of one commit with the same PROFDATA are the same.
#
#   TARGET=…       another platform; CC_… names its C compiler, as cargo knows it
#   PROFILE=…      another profile of cargo than dist
#   PROFDATA=FILE  what packaging/profile.sh made for this commit; `none` builds without, which makes
#                  the program larger and slower. Unless given, it is made and put into OUT
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

build_program() {
    local commit folder=$profile profdata=${PROFDATA:-}
    # It comes from running a program of the same target, so other targets do without.
    if [[ -z $profdata && $profile == dist && $target == x86_64-unknown-linux-musl ]]; then
        profdata=$out/recto-$version.profdata
        packaging/profile.sh "$profdata"
    fi
    commit=$(git rev-parse --short=12 HEAD)
    git diff --quiet HEAD || commit=$commit-modified
    export RECTO_COMMIT=$commit
    RECTO_BUILD_DATE=$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%d)
    export RECTO_BUILD_DATE
    # Paths of the machine that builds do not belong into the program.
    export RUSTFLAGS="${RUSTFLAGS:-} --remap-path-prefix=$PWD=recto --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=cargo"
    if [[ $target == x86_64-unknown-linux-musl ]]; then
        export CC_x86_64_unknown_linux_musl=${CC_x86_64_unknown_linux_musl:-musl-gcc}
        # The addresses that are fixed when the program starts, packed: two megabytes less.
        RUSTFLAGS+=" -Clink-arg=-Wl,-z,pack-relative-relocs"
    fi
    [ "${profdata:-none}" = none ] || RUSTFLAGS+=" -Cprofile-use=$(realpath "$profdata")"
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
"$stage/recto" man-pages "$stage/man"
for shell in bash zsh fish; do "$stage/recto" completions $shell >"$stage/completions/recto.$shell"; done
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
