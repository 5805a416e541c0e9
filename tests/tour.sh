#!/usr/bin/env bash
# Takes the tour of the README against a fresh folder: every line of it runs, and every answer has
# to contain what stands above it, so that the README cannot promise what is not so.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
recto=$(realpath "${1:-$here/target/release/recto}")
patience=100 # tenths of a second, for the start and for a saved file to be noticed

folder=$(mktemp -d)
server=
cleanup() {
    if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; fi
    rm -rf "$folder"
}
trap cleanup EXIT
fail() { echo "tour: $*" >&2; exit 1; }

cd "$folder"
"$recto" serve --data data --listen 127.0.0.1:0 >out 2>err &
server=$!
address=
for _ in $(seq "$patience"); do
    address=$(grep -oE 'http://[^ /]+:[0-9]+' out | head -n 1 || true)
    if [ -n "$address" ]; then break; fi
    kill -0 "$server" 2>/dev/null || fail "the server ended: $(cat out err)"
    sleep 0.1
done
[ -n "$address" ] || fail "no address after a while: $(cat out err)"

curl() { command curl -sS --fail-with-body "$@"; }

# The answer of a line must contain a text; a saved file may take a moment.
expect() { # LINE TEXT
    local answer=
    for _ in $(seq "$patience"); do
        answer=$(eval "$1" 2>&1) || true
        case $answer in *"$2"*) return ;; esac
        sleep 0.1
    done
    fail "$1"$'\n'"  should have given: $2"$'\n'"  but gave: $answer"
}

readme=$here/README.md
answers=$(sed -n '/^<!-- tests\/tour.sh/,/^-->$/p' "$readme" | sed '1d;$d')
tour=$(sed -n '/^-->$/,/^```$/p' "$readme" | sed '1,2d;$d')
n_lines=0
while IFS= read -r line; do
    line=${line//http:\/\/localhost:8080/$address}
    line=${line//cargo run --release -q --/\"$recto\"}
    n_lines=$((n_lines + 1))
    if [[ $line == curl* ]]; then
        [ -n "$answers" ] || fail "the README does not say what answers this: $line"
        expect "$line" "${answers%%$'\n'*}"
        answers=$(tail -n +2 <<<"$answers")
    else
        eval "$line" || fail "$line"
    fi
done <<<"$tour"
[ -z "$answers" ] || fail "nothing in the README gives: $answers"
[ "$n_lines" -ge 5 ] || fail "found only $n_lines lines in the README"
echo "tour: $n_lines lines of the README do what they say"
