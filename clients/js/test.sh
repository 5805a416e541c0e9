#!/usr/bin/env bash
# Everything a change of the JavaScript client has to pass. Wants Node 20.19 or newer; uses
# target/debug/recto, or the program that RECTO_BIN names.
set -euo pipefail
cd "$(dirname "$0")"
export RECTO_BIN=${RECTO_BIN:-$PWD/../../target/debug/recto}

kept=$(mktemp -d)
trap 'rm -rf "$kept"' EXIT
cp package-lock.json "$kept"
npm install --no-fund --no-audit --loglevel=error
cp "$kept/package-lock.json" package-lock.json

cp -R dist "$kept/committed"
npm run --silent build
if ! diff -rq "$kept/committed" dist; then
    echo "clients/js/dist was stale; it is made anew now, commit it" >&2; exit 1
fi
"$RECTO_BIN" types --data ../../data-skeleton >test/generated.ts
npm run --silent test
