#!/usr/bin/env bash
# Everything a change has to pass. All of it shares one build, that of `cargo test`, so that nothing
# is compiled twice. PROFILE=release tests the release build, CARGO_BUILD_TARGET another platform.
set -euo pipefail
cd "$(dirname "$0")"

command -v cargo >/dev/null || { echo "Rust 1.95 or newer is needed: https://rustup.rs" >&2; exit 1; }

case ${PROFILE:-dev} in
    dev) flags=(--locked) folder=debug ;;
    release) flags=(--locked --release) folder=release ;;
    *) echo "PROFILE is dev or release" >&2; exit 2 ;;
esac
# What is published is built for musl. In CI the tests use it, too, so that it is compiled once.
musl=x86_64-unknown-linux-musl
builds_musl() {
    [ "$(uname -m)" = x86_64 ] && command -v musl-gcc >/dev/null || return
    rustc --print target-libdir --target $musl | xargs test -d || rustup target add $musl
}
if [ -n "${CI:-}" ] && [ -z "${CARGO_BUILD_TARGET:-}" ] && builds_musl; then
    export CARGO_BUILD_TARGET=$musl CC_x86_64_unknown_linux_musl=musl-gcc
fi

target=${CARGO_TARGET_DIR:-target}
mkdir -p "$target"
target=$(cd "$target" && pwd)
# What the browser tests and the clients use.
export RECTO_BIN=$target/${CARGO_BUILD_TARGET:+$CARGO_BUILD_TARGET/}$folder/recto

# Tests make and remove many thousands of small files: in memory that takes a third of the time.
if [ -z "${TMPDIR:-}" ] && [ -w /dev/shm ] &&
    [ "$(df --output=avail -k /dev/shm | tail -n 1)" -gt 4000000 ]; then
    TMPDIR=$(mktemp -d /dev/shm/recto.XXXXXX)
    # PostgreSQL, which does not run as root, has to reach its folder below.
    chmod 711 "$TMPDIR"
    export TMPDIR
    made=$TMPDIR
fi

begun=$SECONDS
step() { printf '\n== %s (%d s)\n' "$*" $((SECONDS - begun)); }

# Some steps leave a core idle: they run beside others, and are printed when those are done.
said=$(mktemp -d)
declare -A beside=()
start_beside() { # NAME COMMAND…
    "${@:2}" >"$said/$1" 2>&1 &
    beside[$1]=$!
}
finish_beside() { # NAME
    local status=0
    wait "${beside[$1]}" || status=$?
    unset "beside[$1]"
    step "$1, beside the others"
    cat "$said/$1"
    return $status
}
clean_up() {
    [ ${#beside[@]} = 0 ] || kill "${beside[@]}" 2>/dev/null || true
    rm -rf "$said" ${made:+"$made"}
}
trap clean_up EXIT

# Whether a component of the toolchain is there; adds it when rustup can.
component() { # NAME COMMAND
    cargo "$2" --version >/dev/null 2>&1 && return
    command -v rustup >/dev/null && rustup component add "$1" >/dev/null 2>&1 && return
    echo "skipped: there is no $1, and no way to add it"
    return 1
}

step format
if component rustfmt fmt; then cargo fmt --all --check; fi

# The bundle of the interface is committed, so Rust needs no Node. With it, the sources are checked,
# the bundle has to be what they make, and a browser uses the binary that was built.
has_node=
if command -v npm >/dev/null; then
    has_node=1
    step "packages of the web interface"
    admin/test.sh packages
    start_beside "sources of the web interface" admin/test.sh sources
elif [ -n "${CI:-}" ]; then
    echo "there is no npm" >&2; exit 1
else
    echo "skipped: there is no npm (Node 20.19 or newer)"
fi

step "build, with lints"
has_clippy=
if component clippy clippy; then has_clippy=1; fi
if [ -n "$has_clippy" ] && [ $folder = release ]; then
    # Clippy's compiler would leave out optimizations of what is tested.
    cargo clippy "${flags[@]}" --workspace --all-targets -- -D warnings
elif [ -n "$has_clippy" ]; then
    export LINT_FOLDER=$target/lint RUSTC_WORKSPACE_WRAPPER=$PWD/tests/lint.sh
    export CLIPPY_ARGS=-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__
fi
cargo test "${flags[@]}" --workspace --no-run
cargo build "${flags[@]}" --workspace --bench '*'

[ -z "$has_node" ] || finish_beside "sources of the web interface"

step tests
cargo test "${flags[@]}" --workspace

if [ -n "$has_node" ]; then
    step "web interface"
    admin/test.sh bundle browser
fi

# Much of what follows waits for the network, or for one core.
check_javascript() {
    clients/js/test.sh
    examples/test.sh
}
[ -z "$has_node" ] || start_beside "JavaScript client and starters" check_javascript
start_beside "several servers on PostgreSQL" tests/cluster/run.sh

step documentation
if [ -n "${LINT_FOLDER:-}" ]; then
    tests/lint.sh documentation
else
    RUSTDOCFLAGS="-D warnings" cargo doc "${flags[@]}" --workspace --no-deps
fi

step packages
# Their program is not optimized, which would take ten minutes. It is the one that the tests used, if
# that one is for musl.
if builds_musl; then
    [ "${CARGO_BUILD_TARGET:-}" != $musl ] || export PROGRAM=$RECTO_BIN
    CARGO_PROFILE_DEV_DEBUG=none COMPRESSION=1 PROFILE=dev packaging/build.sh "$target/packages-dev"
    packaging/test.sh "$target/packages-dev"
else
    echo "skipped: there is no musl-gcc (Debian: musl-tools)"
fi

[ -z "$has_node" ] || finish_beside "JavaScript client and starters"

# Its generators come over the network. RECTO_CLIENTS names languages.
if [ -n "${RECTO_CLIENTS:-}" ]; then
    read -ra languages <<<"$RECTO_CLIENTS"
    start_beside "clients of the OpenAPI document" tests/clients.sh "${languages[@]}"
fi

step "export behind nginx"
tests/export-nginx.sh "$RECTO_BIN"

step "behind other proxies"
tests/proxies.sh "$RECTO_BIN"

step "certificates of an authority"
tests/acme.sh "$RECTO_BIN"

finish_beside "several servers on PostgreSQL"
[ -z "${RECTO_CLIENTS:-}" ] || finish_beside "clients of the OpenAPI document"

step "all passed"
