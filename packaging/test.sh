#!/usr/bin/env bash
# Tries what `build.sh` has built, as people would who get it:
#
#   packaging/test.sh [OUT]             the folder of the packages, else target/packages
#
# the archive in a folder with nothing else in it, the layer of the image, the Debian package in a
# fresh Debian (needs root and debootstrap, else it is left out), and an update from one version to
# the next beside a load that must not notice.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=$(realpath "${1:-$here/../target/packages}")
name=$(basename "$(ls "$out"/recto-*-musl.tar.gz | tail -n 1)" .tar.gz)
version=${name#recto-}
version=${version%%-x86_64*}
arch=amd64

. "$here/../tests/processes.sh"
begin_test packages
# Nothing below a folder that is still mounted there may be removed.
end_debian_test() {
    end_processes
    if mountpoint -q "$work/debian/proc" 2>/dev/null; then umount "$work/debian/proc"; fi
    rm -rf "$work"
}
trap end_debian_test EXIT
passed() { printf 'packages: %s (%d s)\n' "$*" $SECONDS; }
curl() { command curl -sS --fail-with-body "$@"; }
# In the place of this shell, so that a server gets the signal.
exec_in_root() { # FOLDER COMMAND...: with this folder as the only one there is
    if [ "$(id -u)" = 0 ]; then exec chroot "$@"; fi
    exec unshare --user --map-root-user --root="$1" "${@:2}"
}
in_root() { (exec_in_root "$@"); }

(cd "$out" && sha256sum --quiet --check SHA256SUMS) || fail "a checksum is wrong"
passed "the checksums are right"

# ---- the archive ----
mkdir -p "$work/unpacked" "$work/empty"
begun=$(date +%s%N)
tar -xzf "$out/$name.tar.gz" -C "$work/unpacked"
cp "$work/unpacked/$name/recto" "$work/empty/recto"
port=$(free_ports 1)
(exec_in_root "$work/empty" /recto serve --data /data --listen 127.0.0.1:"$port" >"$work/ready" 2>"$work/last.log") &
pids+=($!)
await curl "http://127.0.0.1:$port/api/v1/workspaces/default/content/posts?limit=1"
took=$((($(date +%s%N) - begun) / 1000000))
[ "$took" -le 5000 ] || fail "the first answer took $took ms"
passed "the archive answers $took ms after it is unpacked, in a folder without anything else"

admin=http://127.0.0.1:$port/admin/api
setup=$(grep -oE 'token=[^ ]+' "$work/ready" | cut -d= -f2)
curl -c "$work/cookies" "$admin/setup" -H 'Content-Type: application/json' \
    -d "{\"token\":\"$setup\",\"username\":\"robin\",\"password\":\"correct horse\"}" >/dev/null
csrf=$(curl -b "$work/cookies" "$admin/me" | grep -oE '"csrf_token": *"[^"]+"' | cut -d'"' -f4)
entry=$(curl -b "$work/cookies" "$admin/content/topics?workspace=default" -H "X-CSRF-Token: $csrf" \
    -H 'Content-Type: application/json' -d '{"title":"Wool","status":"published"}')
grep -q '"slug": *"wool"' <<<"$entry" || fail "no entry was created: $entry"
curl "http://127.0.0.1:$port/api/v1/workspaces/default/content/topics/wool" | grep -q '"Wool"' ||
    fail "the entry is not public"
in_root "$work/empty" /recto health --url "http://127.0.0.1:$port" | grep -q 'is ready' || fail "it is not healthy"
passed "somebody sets it up, logs in and publishes"

# ---- the image ----
mkdir -p "$work/image" "$work/container"
tar -xf "$out/$name-image.tar" -C "$work/image"
for blob in "$work"/image/blobs/sha256/*; do
    [ "$(sha256sum "$blob" | cut -d' ' -f1)" = "$(basename "$blob")" ] || fail "a blob has another checksum"
done
python3 - "$work/image" >"$work/layers" <<'PY'
import json, pathlib, sys
root = pathlib.Path(sys.argv[1])
blob = lambda digest: root / "blobs" / "sha256" / digest.removeprefix("sha256:")
index = json.loads((root / "index.json").read_text())
manifest = json.loads(blob(index["manifests"][0]["digest"]).read_text())
config = json.loads(blob(manifest["config"]["digest"]).read_text())
for part in [manifest["config"], *manifest["layers"], index["manifests"][0]]:
    assert blob(part["digest"]).stat().st_size == part["size"], part
assert config["config"]["Entrypoint"] == ["/usr/bin/recto"] and config["config"]["User"] == "10001:10001"
assert len(config["rootfs"]["diff_ids"]) == len(manifest["layers"])
for layer in manifest["layers"]:
    print(blob(layer["digest"]))
PY
while read -r layer; do tar -xzf "$layer" --same-owner -C "$work/container" 2>/dev/null || tar -xzf "$layer" -C "$work/container"; done <"$work/layers"
port=$(free_ports 1)
(RECTO_DATA=/data RECTO_LISTEN=127.0.0.1:$port exec_in_root "$work/container" /usr/bin/recto serve >/dev/null 2>"$work/last.log") &
pids+=($!)
await curl "http://127.0.0.1:$port/healthz"
RECTO_LISTEN=127.0.0.1:$port in_root "$work/container" /usr/bin/recto health >/dev/null || fail "the image is not healthy"
passed "the image holds what its documents say, and runs"

# ---- the update ----
# The next version is this one with another number in it.
next=${version%.*}.$((${version##*.} + 1))
[ ${#next} = ${#version} ] || fail "the next version has another length"
mkdir -p "$work/site" "$work/opt"
perl -pe "s/\Q$version\E/$next/g" "$work/unpacked/$name/recto" >"$work/site/recto-next"
chmod 755 "$work/site/recto-next"
target=$("$work/unpacked/$name/recto" update status --json --data "$work/empty/data" | grep -oE '"target": *"[^"]+"' | cut -d'"' -f4)
openssl genpkey -algorithm ed25519 -out "$work/release.pem" 2>/dev/null
public=$(openssl pkey -in "$work/release.pem" -pubout -outform DER | base64 -w0)
site=$(free_ports 1)
"$here/write-manifest.sh" "$work/site/recto-next" "$next" "$target" "$work/release.pem" \
    "http://127.0.0.1:$site/recto-next" "What is \"new\"." >"$work/site/latest.json"
python3 -m http.server --bind 127.0.0.1 --directory "$work/site" "$site" >/dev/null 2>&1 &
pids+=($!)
await curl "http://127.0.0.1:$site/latest.json"
cp "$work/unpacked/$name/recto" "$work/opt/recto"
python3 "$here/test_update.py" "$work/opt/recto" "$work/updated" "$next" \
    "http://127.0.0.1:$site/latest.json" "$public" || fail "the update"
passed "an update from $version to $next is verified and installed, and no request fails meanwhile"

# ---- the Debian package ----
deb=$out/recto_${version}_$arch.deb
if [ "$(id -u)" != 0 ] || ! command -v debootstrap >/dev/null || [ ! -e "$deb" ]; then
    echo "skipped: the Debian package needs root and debootstrap"
    exit 0
fi
debian=$work/debian
debootstrap --variant=minbase --include=adduser stable "$debian" >"$work/last.log" 2>&1 ||
    fail "no Debian to try it in: $(tail -n 3 "$work/last.log")"
mount -t proc proc "$debian/proc"
cp "$deb" "$debian/first.deb"
COMPRESSION=1 "$here/build-deb.sh" "$work/unpacked/$name" "$next" "$arch" "$debian/second.deb"
on_debian_exec() { exec chroot "$debian" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"; }
on_debian() { (on_debian_exec "$@"); }
serve_debian() {
    port=$(free_ports 1)
    # In the place of this shell, so that the server gets the signal.
    (on_debian_exec setpriv --reuid recto --regid recto --clear-groups \
        recto serve --listen 127.0.0.1:"$port" >/dev/null 2>"$work/last.log") &
    server=$!
    pids+=("$server")
    await curl "http://127.0.0.1:$port/healthz"
}
stop_debian() { kill "$server"; wait "$server" || true; }
on_debian dpkg -i /first.deb >"$work/last.log" 2>&1 || fail "it cannot be installed: $(cat "$work/last.log")"
[ "$(stat -c %a "$debian/var/lib/recto")" = 750 ] || fail "others can look into /var/lib/recto"
serve_debian
curl "http://127.0.0.1:$port/api/v1/workspaces/default/content/posts?limit=1" | grep -q '"data"' || fail "no content"
stop_debian
on_debian runuser -u recto -- recto check | grep -q 'no problems' || fail "the folder of the package is not in order"
on_debian sh -c 'echo "# mine" >>/etc/recto.toml; ls /usr/share/man/man1/recto.1.gz /usr/share/bash-completion/completions/recto' >/dev/null
n_files=$(find "$debian/var/lib/recto" -type f | wc -l)
on_debian dpkg -i /second.deb >"$work/last.log" 2>&1 || fail "it cannot be upgraded: $(cat "$work/last.log")"
grep -q '^# mine' "$debian/etc/recto.toml" || fail "the upgrade changed the configuration"
serve_debian
stop_debian
on_debian dpkg -r recto >"$work/last.log" 2>&1 || fail "it cannot be removed: $(cat "$work/last.log")"
[ ! -e "$debian/usr/bin/recto" ] && [ -e "$debian/etc/recto.toml" ] || fail "what is removed is wrong"
[ "$(find "$debian/var/lib/recto" -type f | wc -l)" -ge "$n_files" ] || fail "removing it took data along"
on_debian dpkg -P recto >"$work/last.log" 2>&1 || fail "it cannot be purged: $(cat "$work/last.log")"
[ ! -e "$debian/var/lib/recto" ] && [ ! -e "$debian/etc/recto.toml" ] || fail "purging left something"
passed "the Debian package installs, serves, upgrades, is removed and purged"
