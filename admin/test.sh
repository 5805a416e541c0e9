#!/usr/bin/env bash
# Everything a change of the interface has to pass. Wants Node 20.19 or newer and Chromium; the
# browser tests use target/debug/recto, or the binary that RECTO_BIN names.
#
#   admin/test.sh                             all of it
#   admin/test.sh packages sources bundle     without the browser
#
# While cargo builds, only `sources` may run: the others change files that are built in.
set -euo pipefail
cd "$(dirname "$0")"
export RECTO_BIN=${RECTO_BIN:-$PWD/../target/debug/recto}

[ $# -gt 0 ] || set -- packages sources bundle browser
step() { printf '\n-- %s\n' "$*"; }

kept=$(mktemp -d)
trap 'rm -rf "$kept"' EXIT

packages() {
    step packages
    # Not `npm ci`: it refuses a lock file that lacks the optional packages of other platforms, which not
    # every registry has. What the lock file names is what comes; what a registry adds to it for other
    # platforms is taken back, since the sum of the sources covers the file.
    cp package-lock.json "$kept"
    npm install --no-fund --no-audit --loglevel=error
    cp "$kept/package-lock.json" package-lock.json
    npm ci --prefix client --no-fund --no-audit --loglevel=error

    step "client is that of the API"
    cp src/api/schema.ts "$kept"
    npm run --silent --prefix client generate
    if ! cmp -s src/api/schema.ts "$kept/schema.ts"; then
        echo "src/api/schema.ts was stale; it is made anew now, commit it" >&2; exit 1
    fi
}

sources() {
    step "types, lints, unit tests"
    npm run --silent check
    npm run --silent test
}

bundle() {
    step "bundle is what the sources make"
    cp -a dist "$kept/committed"
    npm run --silent build -- --logLevel error
    if ! diff -rq "$kept/committed" dist; then
        echo "dist was stale; it is made anew now, commit it" >&2; exit 1
    fi
    # With the times that it had: cargo would compile everything again.
    rm -r dist
    cp -a "$kept/committed" dist
    npm run --silent budget
}

browser() {
    step "browser"
    # playwright.config.ts takes the first of these that is there.
    chromium=${CHROMIUM:-/usr/bin/chromium}
    if [ -x "${CHROMIUM:-/usr/bin/chromium-headless-shell}" ] || [ -x "$chromium" ]; then
        npm run --silent e2e
    elif [ -n "${CI:-}" ]; then
        echo "there is no $chromium" >&2; exit 1
    else
        echo "skipped: there is no $chromium (CHROMIUM names another one)"
    fi
}

for part; do "$part"; done
