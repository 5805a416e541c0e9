#!/usr/bin/env bash
# Lints of Clippy and rustdoc without a build of their own, which would compile every dependency a
# second time. Every warning is an error.
#
#   RUSTC_WORKSPACE_WRAPPER=$PWD/tests/lint.sh cargo …    compiles the workspace with Clippy's lints
#   tests/lint.sh documentation                           checks the documentation of what was compiled
#
# LINT_FOLDER is where the first notes for the second how each crate was compiled. CLIPPY_ARGS has the
# arguments of Clippy; cargo compiles again what was compiled with others.
set -euo pipefail

compile() { # RUSTC ARGUMENT…
    "$("$1" --print sysroot)/bin/clippy-driver" "$@"
    # Cargo also asks for facts, which compiles nothing.
    [ -n "${CARGO_CRATE_NAME:-}" ] || return 0
    # Documentation has the library and the programs.
    case " $* " in
        *" --test "*) ;;
        *" --crate-type lib "*) note_compilation library "${@:2}" ;;
        *"src/main.rs "*) note_compilation program "${@:2}" --document-private-items ;;
    esac
}

note_compilation() { # KIND ARGUMENT…
    local notes=$LINT_FOLDER/$CARGO_CRATE_NAME-$1 argument skips=
    mkdir -p "$notes"
    pwd >"$notes/folder"
    # Cargo takes its job server along when it ends.
    env --unset CARGO_MAKEFLAGS --null >"$notes/environment"
    for argument in "${@:2}"; do
        # Where rustc writes, and what; rustdoc has other words for these.
        case $skips$argument in
            --emit=* | --out-dir=* | next*) skips= ;;
            --emit | --out-dir) skips=next ;;
            --error-format=* | --json=*) ;;
            *) printf '%s\0' "$argument" ;;
        esac
    done >"$notes/arguments"
}

check_documentation() {
    local notes pages environment arguments
    pages=$(mktemp -d)
    for notes in "$LINT_FOLDER"/*; do
        echo "documentation of $(basename "$notes")"
        readarray -d '' environment <"$notes/environment"
        readarray -d '' arguments <"$notes/arguments"
        (
            cd "$(cat "$notes/folder")"
            env -i "${environment[@]}" rustdoc "${arguments[@]}" -D warnings --out-dir "$pages"
        )
    done
    rm -rf "$pages"
}

case ${1:-} in
    documentation) check_documentation ;;
    *) compile "$@" ;;
esac
