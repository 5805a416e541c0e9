#!/usr/bin/env bash
# Runs Recto behind the proxies of examples/proxy/, as they stand there but for ports and files:
# addresses below a path, the client's address and scheme, a login, an upload, live events, a path
# with escapes and conditions. Proxies that are not installed are left out.
#
#   tests/proxies.sh [PROGRAM]
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
recto=$(realpath "${1:-$here/target/release/recto}")
examples=$here/examples/proxy

. "$here/tests/processes.sh"
begin_test proxies
cd "$work"
chmod 755 "$work"
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=example.org \
    -addext subjectAltName=DNS:example.org -keyout example.key -out example.pem 2>/dev/null
chmod 644 example.key

read -r back front other < <(free_ports 3)
get() { # PATH [ARGUMENTS...]
    curl -sS --cacert example.pem --resolve "example.org:$front:127.0.0.1" "https://example.org:$front$1" "${@:2}"
}
# The recipe with the ports and files of this test.
adapt() { # FILE
    sed -e "s/127\.0\.0\.1:8080/127.0.0.1:$back/g; s/443 ssl/$front ssl/; s/\*:443/*:$front/" \
        -e "s#/etc/ssl/example.org.pem#$work/example.pem#; s#/etc/ssl/example.org.key#$work/example.key#" \
        -e "s#^example.org {#https://example.org:$front {\n\ttls $work/example.pem $work/example.key#" "$1"
}

"$recto" init data >/dev/null
"$recto" serve --data data --listen "127.0.0.1:$back" --trusted-proxies 127.0.0.1 \
    --base-url "https://example.org:$front/cms" --log-requests all >ready.log 2>recto.log &
pids+=($!)
token=$("$recto" token create --data data --name proxies --grant '*@*' 2>/dev/null)
echo 'correct horse' | "$recto" user create robin --data data --password-stdin >/dev/null 2>&1
head -c 3000000 /dev/urandom >noise
{ printf '%%PDF-1.7\n'; cat noise; } >large.pdf

try_proxy() {
    local api=/cms/api/v1/workspaces/default answer
    label="proxies: $proxy"
    await get /cms/healthz
    get /cms/healthz | grep -q ok || fail "nothing answers"
    answer=$(get "$api/content/posts?limit=1&filter%5Btags%5D%5Bin%5D=essay" -D head)
    grep -q '"data"' <<<"$answer" || fail "no list: $answer"
    tag=$(grep -i '^etag:' head | tr -d '\r' | cut -d' ' -f2-)
    [ "$(get "$api/content/posts?limit=1&filter%5Btags%5D%5Bin%5D=essay" -H "If-None-Match: $tag" -o /dev/null -w '%{http_code}')" = 304 ] ||
        fail "a condition does not arrive"
    get "$api/media" | grep -qF "https://example.org:$front/cms/" || fail "media have other addresses"
    get /cms/admin/ -H 'Accept: text/html' | grep -qi '<!doctype html' || fail "no interface"
    # A session over TLS: the scheme has arrived.
    get /cms/admin/api/login -H 'Content-Type: application/json' -D head -o /dev/null \
        -d '{"username":"robin","password":"correct horse"}'
    grep -i '^set-cookie:' head | grep -q '; Secure' || fail "the scheme does not arrive: $(cat head)"
    # An upload, and a path with an escape.
    answer=$(get "$api/media" -H "Authorization: Bearer $token" -F "media=@large.pdf;filename=large.pdf" -H 'Expect:')
    url=$(grep -oE "https://[^\"]+large[^\"]*\\.pdf" <<<"$answer" | head -n 1 || true)
    [ -n "$url" ] || fail "no upload: $answer"
    url=${url#https://example.org:"$front"}
    get "${url/large/l%61rge}" -o back.pdf
    cmp -s large.pdf back.pdf || fail "the file is another one"
    # Live events: one arrives while the stream is open.
    get "$api/events" -N --max-time 30 -H "Authorization: Bearer $token" >events.log 2>/dev/null &
    local stream=$!
    for n in $(seq 100); do
        get "$api/content/topics" -H "Authorization: Bearer $token" -H 'Content-Type: application/json' \
            -d "{\"title\":\"$proxy $n\",\"status\":\"published\"}" -o /dev/null
        grep -q "$proxy" events.log && break
        grep -q 'topics' events.log && break
        sleep 0.1
    done
    kill "$stream" 2>/dev/null || true
    wait "$stream" 2>/dev/null || true
    grep -q 'topics' events.log || fail "events do not arrive while the stream is open"
    rm -f events.log
    echo "proxies: $proxy passes everything on"
}

n_tried=0
if command -v nginx >/dev/null; then
    proxy=nginx
    { echo "daemon off; pid $work/nginx.pid; error_log $work/nginx.log; events {}"
        echo "http { access_log off; client_body_temp_path $work/body; proxy_temp_path $work/temp; fastcgi_temp_path $work/f; uwsgi_temp_path $work/u; scgi_temp_path $work/s;"
        adapt "$examples/nginx.conf"
        echo "}"; } >nginx-test.conf
    nginx -c "$work/nginx-test.conf" 2>nginx-start.log &
    pids+=($!)
    try_proxy
    kill "${pids[-1]}" && wait "${pids[-1]}" || true
    n_tried=$((n_tried + 1))
fi
if command -v caddy >/dev/null; then
    proxy=caddy
    { printf '{\n\tadmin off\n\thttp_port %s\n\thttps_port %s\n\tauto_https disable_redirects\n}\n' "$other" "$front"; adapt "$examples/Caddyfile"; } >Caddyfile
    XDG_DATA_HOME=$work XDG_CONFIG_HOME=$work caddy run --config Caddyfile --adapter caddyfile 2>caddy.log &
    pids+=($!)
    try_proxy
    kill "${pids[-1]}" && wait "${pids[-1]}" || true
    n_tried=$((n_tried + 1))
fi
apache=$(command -v apache2 || command -v httpd || true)
modules=/usr/lib/apache2/modules
if [ -n "$apache" ] && [ -d "$modules" ]; then
    proxy=apache
    { echo "ServerRoot $work"; echo "PidFile $work/apache.pid"; echo "ErrorLog $work/apache.log"; echo "Listen 127.0.0.1:$front"
        echo "ServerName localhost"; echo "DefaultRuntimeDir $work"
        for module in mpm_event authz_core proxy proxy_http ssl headers socache_shmcb; do
            echo "LoadModule ${module}_module $modules/mod_$module.so"
        done
        adapt "$examples/apache.conf"; } >apache-test.conf
    "$apache" -f "$work/apache-test.conf" -DFOREGROUND 2>apache-start.log &
    pids+=($!)
    try_proxy
    n_tried=$((n_tried + 1))
fi
[ "$n_tried" -gt 0 ] || echo "skipped: there is no proxy to try"
