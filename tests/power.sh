#!/usr/bin/env bash
# Cuts the power 200 times (or as often as the first argument says) under a server that sixteen
# clients write to, and looks whether everything that was acknowledged is there afterwards.
#
# Needs root, Linux, loop devices, mkfs.ext4 and python3. Everything happens in a temporary folder
# of its own: an image file with an ext4 file system, mounted by loop. To cut the power is to shut
# that file system down by ioctl, which drops what was not written, and to mount it again.
# FILE_SYSTEM=xfs takes another one, PROFILE=dev the tests as they are built while working.
set -euo pipefail
{ # Read whole before it runs: it takes minutes, in which somebody may edit it.
here=$(cd "$(dirname "$0")/.." && pwd)
cuts=${1:-200}
kind=${FILE_SYSTEM:-ext4}

needs() { echo "power: $*" >&2; exit 2; }
[ "$(id -u)" = 0 ] || needs "only root can mount"
for command in "mkfs.$kind" losetup mount umount python3 cargo; do
    command -v "$command" >/dev/null || needs "there is no $command"
done

cd "$here"
# Built before anything is mounted; which file it became is said in JSON.
test=$(cargo test --profile "${PROFILE:-dev}" --locked --test it --no-run --message-format=json |
    python3 -c '
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message.get("executable") and message.get("target", {}).get("name") == "it":
        print(message["executable"])')
[ -x "$test" ] || needs "the tests were not built"

folder=$(mktemp -d)
mkdir "$folder/mount"
# `mountpoint` asks the file system, and XFS answers nothing any more once it is shut down.
is_mounted() { grep -q " $folder/mount " /proc/mounts; }
cleanup() {
    trap - EXIT INT TERM
    # Lazily, so that it goes even while somebody still has a file open; with it the loop device.
    if is_mounted; then umount -l "$folder/mount"; fi
    rm -rf --one-file-system "$folder"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

truncate -s "${IMAGE_SIZE:-512M}" "$folder/image"
options=()
# Small files are what it gets; there have to be inodes for them.
if [ "$kind" = ext4 ]; then options=(-i 4096); fi
"mkfs.$kind" -q "${options[@]}" "$folder/image"

cat >"$folder/switch" <<SWITCH
#!/usr/bin/env bash
set -euo pipefail
shut_down() { # FLAGS
    python3 - "\$1" <<'PYTHON'
import fcntl, os, struct, sys
GOING_DOWN = 0x8004587D
fcntl.ioctl(os.open("$folder/mount", os.O_RDONLY), GOING_DOWN, struct.pack("I", int(sys.argv[1])))
PYTHON
}
case \$1 in
    cut) shut_down 2 ;;        # as it is
    cut-logged) shut_down 1 ;; # after the log of the file system is written
    mount)
        if grep -q " $folder/mount " /proc/mounts; then umount "$folder/mount"; fi
        mount -o loop "$folder/image" "$folder/mount" ;;
esac
SWITCH
chmod +x "$folder/switch"
"$folder/switch" mount || needs "this machine cannot mount by loop"

export RECTO_POWER_SWITCH=$folder/switch RECTO_POWER_MOUNT=$folder/mount RECTO_POWER_CUTS=$cuts
"$test" --ignored --exact crash::power::power_cuts_lose_nothing_that_was_acknowledged --nocapture
echo "power: $kind, $cuts cuts, nothing lost"
exit
}
