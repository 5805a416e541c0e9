#!/usr/bin/env bash
# Builds a container image that holds the program and nothing else. It needs no container engine:
# an image is a tar file with a few JSON documents. `docker load` and `podman load` read it, and
# tools for OCI images do. The file system alone is written beside it, for the Dockerfile.
#
#   packaging/build-image.sh PROGRAM VERSION ARCHITECTURE FILE
set -euo pipefail
program=$1 version=$2 arch=$3 file=$4
epoch=${SOURCE_DATE_EPOCH:-$(date +%s)}
created=$(date -u -d "@$epoch" +%Y-%m-%dT%H:%M:%SZ)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The user is a number, since there is no file of users. The data folder belongs to it, so that a new
# volume does as well.
uid=10001
root=$work/root
mkdir -p "$root/usr/bin" "$root/data" "$root/tmp"
install -m 755 "$program" "$root/usr/bin/recto"
layer=$work/layer.tar
add() { # NAME OWNER MODE
    tar --append --file "$layer" --directory "$root" --sort=name --format=gnu --numeric-owner \
        --mtime="@$epoch" --owner="$2" --group="$2" --mode="$3" "$1"
}
add usr 0 755
add data $uid 750
add tmp 0 1777

image=$work/image
mkdir -p "$image/blobs/sha256"
sum() { sha256sum "$1" | cut -d' ' -f1; }
keep() { # FILE: puts a file among the blobs and prints its sum
    local name
    name=$(sum "$1")
    mv "$1" "$image/blobs/sha256/$name"
    echo "$name"
}
size() { stat -c %s "$image/blobs/sha256/$1"; }

diff_id=$(sum "$layer")
gzip "-${COMPRESSION:-9}" -n "$layer"
cp "$layer.gz" "${file%-image.tar}-rootfs.tar.gz"
layer=$(keep "$layer.gz")
cat >"$work/config.json" <<JSON
{"created":"$created","architecture":"$arch","os":"linux","config":{"User":"$uid:$uid","ExposedPorts":{"8080/tcp":{}},"Env":["PATH=/usr/bin","RECTO_DATA=/data","RECTO_LISTEN=0.0.0.0:8080"],"Entrypoint":["/usr/bin/recto"],"Cmd":["serve"],"Volumes":{"/data":{}},"WorkingDir":"/data","StopSignal":"SIGTERM","Healthcheck":{"Test":["CMD","/usr/bin/recto","health"],"Interval":30000000000,"Timeout":6000000000,"StartPeriod":60000000000},"Labels":{"org.opencontainers.image.title":"recto","org.opencontainers.image.version":"$version","org.opencontainers.image.licenses":"MIT OR Apache-2.0"}},"rootfs":{"type":"layers","diff_ids":["sha256:$diff_id"]},"history":[{"created":"$created","created_by":"packaging/build-image.sh"}]}
JSON
config=$(keep "$work/config.json")
cat >"$work/manifest.json" <<JSON
{"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json","config":{"mediaType":"application/vnd.oci.image.config.v1+json","digest":"sha256:$config","size":$(size "$config")},"layers":[{"mediaType":"application/vnd.oci.image.layer.v1.tar+gzip","digest":"sha256:$layer","size":$(size "$layer")}]}
JSON
manifest=$(keep "$work/manifest.json")
cat >"$image/index.json" <<JSON
{"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","manifests":[{"mediaType":"application/vnd.oci.image.manifest.v1+json","digest":"sha256:$manifest","size":$(size "$manifest"),"platform":{"architecture":"$arch","os":"linux"},"annotations":{"org.opencontainers.image.ref.name":"$version","io.containerd.image.name":"recto:$version"}}]}
JSON
printf '{"imageLayoutVersion":"1.0.0"}' >"$image/oci-layout"
# For `docker load` of engines that do not read OCI layouts.
printf '[{"Config":"blobs/sha256/%s","RepoTags":["recto:%s"],"Layers":["blobs/sha256/%s"]}]' \
    "$config" "$version" "$layer" >"$image/manifest.json"
(cd "$image" && tar --create --sort=name --format=gnu --owner=0 --group=0 --numeric-owner \
    --mtime="@$epoch" --file "$file" ./*)
