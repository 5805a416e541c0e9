#!/usr/bin/env bash
# Has a certificate issued by Pebble, the test server of the ACME protocol (Debian: pebble), and
# renewed again and again, while clients connect without a pause: over TLS, and over HTTP for an
# authority that offers nothing else.
#
#   tests/acme.sh [PROGRAM]
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
recto=$(realpath "${1:-$here/target/release/recto}")
command -v pebble >/dev/null || { echo "skipped: there is no pebble"; exit 0; }

. "$here/tests/processes.sh"
begin_test acme
cd "$work"

# The certificate of the authority's own server, and that of its issuer.
ec=(-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes)
openssl req -x509 "${ec[@]}" -days 2 -subj /CN=issuer -keyout issuer.key -out issuer.pem 2>/dev/null
openssl req -new "${ec[@]}" -subj /CN=pebble -keyout pebble.key -out pebble.csr 2>/dev/null
openssl x509 -req -in pebble.csr -CA issuer.pem -CAkey issuer.key -CAcreateserial -days 2 \
    -extfile <(echo subjectAltName=IP:127.0.0.1) -out pebble.pem 2>/dev/null
read -r tls plain acme manage dns control < <(free_ports 6)
# Every name leads here.
pebble-challtestsrv -dns01 ":$dns" -management "127.0.0.1:$control" -http01 "" -https01 "" -tlsalpn01 "" \
    -defaultIPv4 127.0.0.1 -defaultIPv6 "" >dns.log 2>&1 &
pids+=($!)
cat >pebble.json <<JSON
{"pebble": {"listenAddress": "127.0.0.1:$acme", "managementListenAddress": "127.0.0.1:$manage",
  "certificate": "$work/pebble.pem", "privateKey": "$work/pebble.key",
  "httpPort": $plain, "tlsPort": $tls, "ocspResponderURL": "", "certificateValidityPeriod": 15}}
JSON
# It refuses some good nonces on purpose, like real authorities do now and then.
PEBBLE_VA_NOSLEEP=1 PEBBLE_WFE_NONCEREJECT=20 \
    pebble -config pebble.json -dnsserver "127.0.0.1:$dns" >pebble.log 2>&1 &
pids+=($!)
await curl -s --cacert issuer.pem "https://127.0.0.1:$acme/dir"

"$recto" serve --data data --listen "127.0.0.1:$plain" --tls-listen "127.0.0.1:$tls" \
    --tls-domains cms.example.test,www.example.test --tls-email admin@example.test \
    --tls-acme-url "https://127.0.0.1:$acme/dir" --tls-acme-roots issuer.pem >ready.log 2>server.log &
server=$!
pids+=("$server")

# The authority's roots, which clients trust.
curl -s --cacert issuer.pem "https://127.0.0.1:$manage/roots/0" >roots.pem
grep -q BEGIN roots.pem || fail "the authority tells no root"
serial() {
    openssl s_client -connect "127.0.0.1:$tls" -servername cms.example.test </dev/null 2>/dev/null |
        openssl x509 -noout -serial 2>/dev/null || true
}
is_issued() { first=$(serial) && [ -n "$first" ]; }
await is_issued
get() { # NAME PATH
    curl -sS --cacert roots.pem --resolve "$1:$tls:127.0.0.1" "https://$1:$tls$2"
}
for name in cms.example.test www.example.test; do
    get "$name" /healthz | grep -q ok || fail "$name does not answer"
done
curl -sS --cacert roots.pem --resolve "cms.example.test:$tls:127.0.0.1" -o /dev/null \
    -w '%{http_version}' "https://cms.example.test:$tls/healthz" >version
[ "$(cat version)" = 2 ] || fail "it is not HTTP/2: $(cat version)"
moved=$(curl -s -o /dev/null -w '%{redirect_url}' -H "Host: www.example.test" "http://127.0.0.1:$plain/admin/")
[ "$moved" = "https://www.example.test:$tls/admin/" ] || fail "the plain port leads to $moved"
[ "$(stat -c %a data/system/tls/certificate.json)" = 600 ] || fail "others can read the key"

# Renewals: two thirds of fifteen seconds, twice.
renewed=0 last=$first
for _ in $(seq 300); do
    get cms.example.test /healthz >/dev/null || fail "no answer during a renewal"
    now=$(serial)
    [ -n "$now" ] || fail "no certificate during a renewal"
    if [ "$now" != "$last" ]; then renewed=$((renewed + 1)) last=$now; fi
    [ "$renewed" -lt 2 ] || break
    sleep 0.1
done
[ "$renewed" -ge 2 ] || fail "the certificate was renewed $renewed times"
kill -0 "$server" || fail "the server ended"

# A restart asks for nothing: the certificate is kept.
kill "$server" && wait "$server" || true
orders=$(grep -c 'order' pebble.log || true)
"$recto" serve --data data --listen "127.0.0.1:$plain" --tls-listen "127.0.0.1:$tls" \
    --tls-domains www.example.test,cms.example.test \
    --tls-acme-url "https://127.0.0.1:$acme/dir" --tls-acme-roots issuer.pem >ready.log 2>server.log &
pids+=($!)
await get cms.example.test /healthz
grep -q 'was issued' server.log && fail "a restart orders a certificate again"
echo "acme: a certificate for two names was issued, renewed twice without a restart, and kept ($orders)"
