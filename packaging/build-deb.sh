#!/usr/bin/env bash
# Builds the Debian package from the files that `build.sh` has put together.
#
#   packaging/build-deb.sh STAGE VERSION ARCHITECTURE FILE
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
stage=$1 version=$2 arch=$3 file=$4

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"
put() { install -D -m "$1" "$2" "$root/$3"; } # MODE FROM TO

put 755 "$stage/recto" usr/bin/recto
put 644 "$stage/recto.toml" etc/recto.toml
put 644 "$stage/recto.service" usr/lib/systemd/system/recto.service
put 644 "$stage/recto.socket" usr/lib/systemd/system/recto.socket
put 644 "$stage/completions/recto.bash" usr/share/bash-completion/completions/recto
put 644 "$stage/completions/recto.zsh" usr/share/zsh/vendor-completions/_recto
put 644 "$stage/completions/recto.fish" usr/share/fish/vendor_completions.d/recto.fish
for page in "$stage"/man/*.1; do
    put 644 "$page" "usr/share/man/man1/$(basename "$page")"
done
gzip -9n "$root"/usr/share/man/man1/*.1
doc=usr/share/doc/recto
put 644 "$stage/README.md" $doc/README.md
put 644 "$stage/CHANGELOG.md" $doc/CHANGELOG.md
put 644 "$here/deb/copyright" $doc/copyright
gzip -9n "$root/$doc/CHANGELOG.md"

mkdir -p "$root/DEBIAN"
size=$(du -sk --apparent-size "$root" | cut -f1)
sed -e "s/@VERSION@/$version/; s/@ARCH@/$arch/; s/@SIZE@/$size/" "$here/deb/control" >"$root/DEBIAN/control"
echo /etc/recto.toml >"$root/DEBIAN/conffiles"
for script in preinst postinst prerm postrm; do install -m 755 "$here/deb/$script" "$root/DEBIAN/$script"; done
(cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
dpkg-deb --root-owner-group -Zxz "-z${COMPRESSION:-6}" --build "$root" "$file" >/dev/null
