#!/usr/bin/env bash
# Makes the profile that the published program is built with: it says which code runs often, so that
# the compiler makes this fast and the rest small. The program is built with counters in it, and the
# benchmark plays what users do.
#
#   packaging/profile.sh [FILE]         into FILE, else target/recto.profdata
#
# Wants what packaging/build.sh wants, and `rustup component add llvm-tools`. The counters differ a
# little from run to run: keep the file to build the same program again (PROFDATA of build.sh). It
# fits this source, this compiler and this target alone; functions that it does not know are built
# as without it.
set -euo pipefail
cd "$(dirname "$0")/.."

file=$(realpath -m "${1:-target/recto.profdata}")
target=x86_64-unknown-linux-musl
folder=$(realpath -m "${CARGO_TARGET_DIR:-target}")/counted
merge=$(rustc --print target-libdir)/../bin/llvm-profdata
[ -x "$merge" ] || { echo "there is no llvm-profdata: rustup component add llvm-tools" >&2; exit 1; }

# The names of functions depend on the settings of the profile, so it is that of the published
# program. Optimizing across crates comes after the counters, so it is left out.
CC_x86_64_unknown_linux_musl=${CC_x86_64_unknown_linux_musl:-musl-gcc} \
    RUSTFLAGS="-Cprofile-generate -Clto=off -Clinker-plugin-lto=no" \
    cargo build --locked --profile dist --target $target --target-dir "$folder" --bin recto
cargo build --locked --release --package recto-bench
counted=$folder/$target/dist/recto
bench=${CARGO_TARGET_DIR:-target}/release/recto-bench

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Processes add to the same file.
export LLVM_PROFILE_FILE=$work/%m.profraw
for rows in W1,W2,W3,W4,W5 W6,W7 W8,W9,W10,W11 edits,changes,backup thumbnails,variants; do
    "$bench" --quick --binary "$counted" --only "$rows" --keep "$work/content"
done
# Passwords are hashed with care for time.
"$counted" init "$work/people"
echo 'a long password' | "$counted" user create robin --role admin --data "$work/people" --password-stdin
mkdir -p "$(dirname "$file")"
"$merge" merge --output "$file" "$work"/*.profraw
# It belonged to another profile.
rm -f "$file.order"
ls -l "$file"
