#!/usr/bin/env bash
# Starts a cluster on this machine, to try it: two PostgreSQL servers (a primary and its synchronous
# standby), three Recto servers, and HAProxy in front of them.
#
#   examples/cluster/start.sh FOLDER         starts all, in this folder, until Ctrl-C
#   examples/cluster/start.sh FOLDER stop    ends all, from another terminal
#
# Everything is in the folder, and goes on from there at the next start. RECTO=path names the program.
# Wants Debian's packages postgresql and haproxy. PostgreSQL does not run as root: if you are root, it
# runs as the user `postgres`.
set -euo pipefail
fail() { echo "cluster: $*" >&2; exit 1; }
[ $# = 1 ] || [ "$#:${2:-}" = 2:stop ] || fail "usage: $0 FOLDER [stop]"
config=$(realpath "$(dirname "$0")/haproxy.cfg")
mkdir -p "$1"
folder=$(realpath "$1")

# Whoever runs the cluster has this lock.
exec 9>>"$folder/lock"
if [ "${2:-}" = stop ]; then
    ! flock -n 9 || fail "nothing runs in $folder"
    kill "$(cat "$folder/pid")"
    exec flock 9
fi
flock -n 9 || fail "a cluster runs in $folder already"

recto=$(command -v "${RECTO:-recto}") || fail "there is no program ${RECTO:-recto}: name it with RECTO=path"
recto=$(realpath "$recto")
haproxy=$(PATH=$PATH:/usr/sbin command -v haproxy) || fail "there is no HAProxy (Debian: haproxy)"
initdb=$(find /usr/lib/postgresql/*/bin/initdb 2>/dev/null | sort -V | tail -1)
[ -n "$initdb" ] || fail "there is no PostgreSQL (Debian: postgresql)"
for port in 5441 5442 8000 8001 8002 8003; do
    ! (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null || fail "something else listens at port $port"
done
cd "$folder"
echo $$ >pid

# The servers of PostgreSQL are `a` and `b`. The one with `standby.signal` is the standby of the other.
postgres() { # COMMAND [ARGUMENTS...]
    local as=()
    [ "$(id -u)" != 0 ] || as=(setpriv --reuid postgres --regid postgres --init-groups --)
    "${as[@]}" "$(dirname "$initdb")/$1" "${@:2}" 9>&-
}
port_of() { [ "$1" = a ] && echo 5441 || echo 5442; }
sql() { postgres psql -qAt -h 127.0.0.1 -p "$(port_of "$1")" -U postgres -c "$2"; }
is_primary() { [ -d "postgres/$1" ] && [ ! -e "postgres/$1/standby.signal" ]; }
start_postgres() {
    postgres pg_ctl -D "postgres/$1" -l "postgres/$1.log" -o "-p $(port_of "$1")" -w start >/dev/null ||
        fail "PostgreSQL does not start: see $folder/postgres/$1.log"
}
stop_postgres() {
    [ ! -e "postgres/$1/postmaster.pid" ] || postgres pg_ctl -D "postgres/$1" -m fast stop >/dev/null || true
}
make_postgres() {
    mkdir -p postgres
    [ "$(id -u)" != 0 ] || chown postgres postgres
    # Whoever is on this machine may connect: this is for trying.
    postgres initdb -D postgres/a -U postgres -A trust --no-locale -E UTF8 >/dev/null
    printf '%s\n' "listen_addresses = '127.0.0.1'" "unix_socket_directories = ''" \
        "wal_keep_size = '256MB'" >>postgres/a/postgresql.conf
    start_postgres a
    sql a 'CREATE ROLE recto LOGIN'
    sql a 'CREATE DATABASE recto OWNER recto'
}
start_database() {
    if [ -d postgres/a ] || [ -d postgres/b ]; then
        ! { is_primary a && is_primary b; } ||
            fail "both folders in $folder/postgres are of primaries: delete the one that was replaced"
        primary=a standby=b
        is_primary a || primary=b standby=a
        start_postgres $primary
    else
        make_postgres
        primary=a standby=b
    fi
    [ -d postgres/$standby ] || postgres pg_basebackup -h 127.0.0.1 -p "$(port_of $primary)" \
        -U postgres -D postgres/$standby -R -c fast
    start_postgres $standby
    # From now on a commit waits until the standby has it on its disk, too.
    sql $primary "ALTER SYSTEM SET synchronous_standby_names = '*'"
    sql $primary 'SELECT pg_reload_conf()' >/dev/null
}

# A program that ends is started again after a second, as systemd would do.
keep_running() { # NAME COMMAND [ARGUMENTS...]
    trap 'kill "$child" 2>/dev/null; wait "$child"; exit' TERM
    while true; do
        "${@:2}" >>"$1.log" 2>&1 &
        child=$!
        echo $child >"$1.pid"
        wait $child || true
        sleep 1 &
        wait $!
    done
}
start_recto() {
    [ -e recto.toml ] || cat >recto.toml <<TOML
store = "postgres://recto@127.0.0.1:5441,127.0.0.1:5442/recto"
base_url = "http://localhost:8000"
trusted_proxies = ["127.0.0.1"]
TOML
    for number in 1 2 3; do
        keep_running "recto-$number" "$recto" serve --data "recto-$number" --listen "127.0.0.1:800$number" 9>&- &
    done
    keep_running haproxy "$haproxy" -db -f "$config" 9>&- &
}
stop_all() {
    trap '' INT TERM
    local running
    running=$(jobs -p)
    # shellcheck disable=SC2086 # Each is a word.
    [ -z "$running" ] || kill $running 2>/dev/null || true
    wait
    # The primary ends first, so that its standby has everything.
    stop_postgres "${primary:-a}"
    stop_postgres "${standby:-b}"
    rm -f pid recto-?.pid haproxy.pid
}

trap stop_all EXIT
trap 'exit 0' INT TERM
start_database
start_recto
echo wait
while true; do sleep 3600 & wait $!; done
