#!/usr/bin/env bash
# The linker of packaging/build.sh, called as `cc` is: rustc tells by the name. Of what is defined
# twice, the first counts, so some functions come before the C library.
#
# With a profile, it links the program, watches a start of it, and links it again with the functions
# that ran beside each other: Linux keeps code in memory by pages, and maps those around each that is
# needed, so that an idle server would take five megabytes more.
#
#   RECTO_MEMORY_FUNCTIONS=FOLDER   the objects that come first
#   RECTO_RAN_ORDER=FILE            the functions of the profile, if there is one, to place after …
#   RECTO_START_ORDER=FILE          … those of a start; they are found and written unless it is there
#
# Wants valgrind, if there is a profile and no RECTO_START_ORDER.
set -euo pipefail

set -- "$RECTO_MEMORY_FUNCTIONS"/*.o "$@"
[ -n "${RECTO_RAN_ORDER:-}" ] || exec cc "$@"

work=$(mktemp -d) server=
trap '[ -z "$server" ] || kill -9 "$server"; rm -rf "$work"' EXIT

# What a start runs depends a little on which thread is faster.
find_order() { # ARGUMENTS OF THE LINKER
    local arguments=() argument program=$work/recto out=$work/callgrind last=
    for argument in "$@"; do
        [ "$last" != -o ] || argument=$program
        last=$argument
        # The names are needed.
        [ "$argument" = -Wl,--strip-all ] || arguments+=("$argument")
    done
    cc "${arguments[@]}"
    valgrind --quiet --tool=callgrind --demangle=no --callgrind-out-file="$out" \
        "$program" serve --data "$work/data" --listen 127.0.0.1:0 >"$work/log" 2>&1 &
    server=$!
    until grep -q ' serves ' "$work/log"; do
        kill -0 $server 2>/dev/null || { server=; cat "$work/log" >&2; exit 1; }
        sleep 0.2
    done
    kill -TERM $server
    wait $server
    server=
    # A name that calls itself has a number after it; code without a name is an address.
    sed -nE "s/^c?fn=\([0-9]+\) //p" "$out" | sed "s/'[0-9]*$//" | grep -v '^0x' | sort -u >"$work/order"
    mv "$work/order" "$RECTO_START_ORDER"
}
[ -s "$RECTO_START_ORDER" ] || find_order "$@"
awk '!seen[$0]++' "$RECTO_START_ORDER" "$RECTO_RAN_ORDER" >"$work/all"
cc "$@" -Wl,--symbol-ordering-file="$work/all",--no-warn-symbol-ordering
