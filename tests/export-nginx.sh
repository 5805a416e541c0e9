#!/usr/bin/env bash
# Compares an export that nginx serves with the live server, at every exported address: status, bytes,
# type and caching. Installs nothing: without nginx, curl or jq it says so and ends well.
set -euo pipefail
cd "$(dirname "$0")/.."
recto=$(realpath "${1:-target/debug/recto}")

for program in nginx curl jq; do
    command -v "$program" >/dev/null || { echo "skipped: there is no $program"; exit 0; }
done

. tests/processes.sh
begin_test export-nginx
read -r live static < <(free_ports 2)

# All there is: the sample content, with views, feeds, presets, an odd name and a moved entry.
cp -r data-skeleton "$work/data"
ws=$work/data/workspaces/default
jq '.views = {"latest": {"sort": "-published_at", "limit": 2, "pages": true, "include": "author"},
    "german": {"locale": "de", "fields": "excerpt"}}
    | .feed = {"url": "https://example.org/{locale}/{slug}", "summary": "excerpt"}
    | .cache = {"max_age": 60, "s_maxage": 3600}' "$ws/schemas/posts.json" >"$work/posts.json"
mv "$work/posts.json" "$ws/schemas/posts.json"
mkdir -p "$work/data/system"
echo '{"images": {"presets": {"card": {"w": 200, "h": 100}}}}' >"$work/data/system/settings.json"
printf 'a,b\n1,2\n' >"$ws/media/Straße 1 (neu).csv"
printf '<svg xmlns="http://www.w3.org/2000/svg"/>' >"$ws/media/dots.svg"
entry=$(find "$ws/content/posts" -name '*.json' | head -1)
jq '.former_slugs = ["an-old-address"]' "$entry" >"$work/entry.json" && mv "$work/entry.json" "$entry"

listen=127.0.0.1:$live
serve --data "$work/data"
"$recto" export "$work/out" --data "$work/data" --base-url "http://localhost:$live"

# Its workers may be another user, who can read what is exported.
chmod 755 "$work"
cat >"$work/nginx.conf" <<END
daemon off; pid $work/pid; error_log $work/error.log;
events {}
http {
  access_log off;
  client_body_temp_path $work; proxy_temp_path $work; fastcgi_temp_path $work;
  uwsgi_temp_path $work; scgi_temp_path $work;
  server { listen 127.0.0.1:$static; root $work/out; include $work/out/_nginx.conf; }
}
END
# Its own log is not open yet when it reads its configuration.
nginx -e "$work/error.log" -c "$work/nginx.conf" &
pids+=($!)
await curl -so /dev/null "http://127.0.0.1:$static/"

differing=0 compared=0
# Prints what clients and caches see of an answer.
ask() { # PORT TARGET FILE
    curl -s -D "$work/head" -o "$3" -g "http://127.0.0.1:$1$2"
    tr -d '\r' <"$work/head" | awk '
        NR == 1 { print $2 }
        tolower($0) ~ /^(content-type|cache-control|content-disposition|location|x-content-type-options|access-control-allow-origin|cross-origin-resource-policy|referrer-policy):/ {
            name = tolower($1); $1 = ""; print name $0 }' | sort
}
check() { # TARGET
    compared=$((compared + 1))
    ask "$live" "$1" "$work/a" >"$work/a.head"
    ask "$static" "$1" "$work/b" >"$work/b.head"
    # The body of a redirect is for people.
    if grep -q '^301$' "$work/a.head"; then
        grep -v '^content-type' "$work/a.head" >"$work/c" && mv "$work/c" "$work/a.head"
        grep -v '^content-type' "$work/b.head" >"$work/c" && mv "$work/c" "$work/b.head"
        sed -i '/^cache-control/d' "$work/a.head"
        cp "$work/a" "$work/b"
    fi
    if ! { cmp "$work/a" "$work/b" && diff "$work/a.head" "$work/b.head"; } >"$work/diff" 2>&1; then
        differing=$((differing + 1))
        echo "$1 differs" >&2
        cat "$work/diff" >&2
    fi
}
while read -r target; do
    check "$target"
done < <(jq -r '(.files | keys[]), (.moved | keys[])' "$work/out/.recto-export.json")

# What is hidden stays so, and no parameter leaves the folder.
for target in /.recto-export.json /_headers /_nginx.conf "/query/w=320/" \
    "/api/v1/workspaces/default/content/notes" "/media/default/none.jpg"; do
    status=$(curl -s -o /dev/null -w '%{http_code}' -g "http://127.0.0.1:$static$target")
    [ "$status" = 404 ] || { echo "$target is $status" >&2; differing=$((differing + 1)); }
done
picture=$(jq -r '[.files | keys[] | select(test("^/media/.*w=320"))][0]' "$work/out/.recto-export.json")
for value in ../.. 320/../../.. 9999 %2e%2e; do
    curl -s -o "$work/b" --path-as-is -g "http://127.0.0.1:$static${picture%%\?*}?w=$value"
    cmp -s "$work/b" "$work/out${picture%%\?*}" ||
        { echo "w=$value is not the picture itself" >&2; differing=$((differing + 1)); }
done

echo "compared $compared addresses with the live server: $differing differ"
[ "$differing" = 0 ] && [ "$compared" -gt 100 ]
