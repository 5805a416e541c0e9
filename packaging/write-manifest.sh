#!/usr/bin/env bash
# Signs a program and prints the manifest of `recto update`, see docs/UPDATES.md.
#
#   packaging/write-manifest.sh PROGRAM VERSION TARGET KEY URL [NOTES]
set -euo pipefail
program=$1 version=$2 target=$3 key=$4 url=$5 notes=${6:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

sum=$(sha256sum "$program" | cut -d' ' -f1)
printf 'recto-release-v1\n%s\n%s\n%s\n' "$version" "$target" "$sum" >"$work/statement"
openssl pkeyutl -sign -rawin -inkey "$key" -in "$work/statement" -out "$work/signature"
# Quotes a text for JSON.
quote() { printf '"%s"' "$(printf '%s' "$1" | sed -e 's/\\/\\\\/g; s/"/\\"/g; s/\t/\\t/g' | sed -e ':a;N;$!ba;s/\n/\\n/g')"; }
cat <<JSON
{
  "version": "$version",
  "released_at": "$(date -u -d "@${SOURCE_DATE_EPOCH:-$(date +%s)}" +%Y-%m-%dT%H:%M:%SZ)",
  "notes": $(quote "$notes"),
  "targets": {
    "$target": {
      "url": $(quote "$url"),
      "sha256": "$sum",
      "signature": "$(base64 -w0 "$work/signature")",
      "size": $(stat -c %s "$program")
    }
  }
}
JSON
