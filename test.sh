#!/usr/bin/env bash
# Everything a change has to pass. One build profile, so that nothing is compiled twice.
set -euo pipefail
cd "$(dirname "$0")"

command -v cargo >/dev/null || { echo "Rust 1.95 or newer is needed: https://rustup.rs" >&2; exit 1; }

step() { printf '\n== %s\n' "$*"; }

# Whether a component of the toolchain is there; adds it when rustup can.
component() { # NAME COMMAND
    cargo "$2" --version >/dev/null 2>&1 && return
    command -v rustup >/dev/null && rustup component add "$1" >/dev/null 2>&1 && return
    echo "skipped: there is no $1, and no way to add it"
    return 1
}

step format
if component rustfmt fmt; then cargo fmt --check; fi

step lints
if component clippy clippy; then
    cargo clippy --release --locked --all-targets -- -D warnings
fi

step build
cargo build --release --locked

step tests
cargo test --release --locked

step "web interface"
# Its bundle is committed, so all of the above needs no Node. With it: the sources are checked, the
# bundle has to be what they make, and a browser uses the binary that was built.
if command -v npm >/dev/null; then
    admin/test.sh
elif [ -n "${CI:-}" ]; then
    echo "there is no npm" >&2; exit 1
else
    echo "skipped: there is no npm (Node 20.19 or newer)"
fi

step documentation
RUSTDOCFLAGS="-D warnings" cargo doc --release --locked --no-deps

step "tour of the README"
if command -v curl >/dev/null; then
    tests/tour.sh target/release/recto
else
    echo "skipped: there is no curl"
fi

printf '\nall passed\n'
