#!/usr/bin/env bash
# Starts a cluster on this machine, to try it: two PostgreSQL servers (a primary and its synchronous
# standby), three Recto servers, and HAProxy in front of them.
#
#   examples/cluster/start.sh FOLDER         starts all, in this folder, until Ctrl-C
#   examples/cluster/start.sh FOLDER stop    ends all, from another terminal
#
# Everything is in the folder, and goes on from there at the next start. RECTO=path names the
# program. Wants Debian's packages postgresql and haproxy. PostgreSQL does not run as root: if you
# are root, it runs as the user `postgres`.
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

recto=$(command -v "${RECTO:-recto}") ||
    fail "there is no program ${RECTO:-recto}: name it with RECTO=path"
recto=$(realpath "$recto")
haproxy=$(PATH=$PATH:/usr/sbin command -v haproxy) || fail "there is no HAProxy (Debian: haproxy)"
initdb=$(find /usr/lib/postgresql/*/bin/initdb 2>/dev/null | sort -V | tail -1) || true
[ -n "$initdb" ] || fail "there is no PostgreSQL (Debian: postgresql)"
for port in 5441 5442 8000 8001 8002 8003; do
    ! (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null || fail "something else listens at port $port"
done
# The settings of the cluster are in recto.toml alone.
for name in "${!RECTO_@}"; do unset "$name"; done
cd "$folder"
echo $$ >pid

# The servers of PostgreSQL are `a` and `b`. The one with `standby.signal` is the standby.
as_postgres() {
    local user=()
    [ "$(id -u)" != 0 ] || user=(setpriv --reuid postgres --regid postgres --init-groups --)
    "${user[@]}" "$@" 9>&-
}
postgres() { as_postgres "$(dirname "$initdb")/$1" "${@:2}"; } # COMMAND [ARGUMENTS...]
port_of() { [ "$1" = a ] && echo 5441 || echo 5442; }
sql() { postgres psql -qAt -h 127.0.0.1 -p "$(port_of "$1")" -U postgres -c "$2"; }
is_primary() { [ -d "postgres/$1" ] && [ ! -e "postgres/$1/standby.signal" ]; }
is_running() { [ -d "postgres/$1" ] && postgres pg_ctl -D "postgres/$1" status >/dev/null; }
start_postgres() {
    is_running "$1" ||
        postgres pg_ctl -D "postgres/$1" -l "postgres/$1.log" -o "-p $(port_of "$1")" \
            start >/dev/null ||
        fail "PostgreSQL does not start: see $folder/postgres/$1.log"
}
stop_postgres() {
    ! is_running "$1" || postgres pg_ctl -D "postgres/$1" -m fast stop >/dev/null || true
}
make_postgres() {
    as_postgres test -x "$folder" || fail "the user postgres cannot enter $folder"
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
    if [ ! -e postgres/a ] && [ ! -e postgres/b ]; then make_postgres; fi
    ! { is_primary a && is_primary b; } ||
        fail "both folders in $folder/postgres are of primaries: delete the one that was replaced"
    if is_primary a; then primary=a standby=b; else primary=b standby=a; fi
    start_postgres $primary
    [ -e postgres/$standby ] || postgres pg_basebackup -h 127.0.0.1 -p "$(port_of $primary)" \
        -U postgres -D postgres/$standby -R -c fast
    start_postgres $standby
    # From now on a commit waits until the standby has it on its disk, too.
    sql $primary "ALTER SYSTEM SET synchronous_standby_names = '*'"
    sql $primary 'SELECT pg_reload_conf()' >/dev/null
}

# The first content is a folder with the samples, a user and a token, copied into the database.
store=postgres://recto@127.0.0.1:5441,127.0.0.1:5442/recto
fill_database() {
    umask 077
    if [ ! -e site ]; then
        "$recto" init site
        head -c 12 /dev/urandom | base64 >password
        "$recto" user create admin --data site --password-file password
        "$recto" token create --data site --name try --grant '*@*' >token
    fi >/dev/null 2>&1
    "$recto" copy site "$store"
    rm -r site
    printf '%s\n' "store = \"$store\"" 'base_url = "http://localhost:8000"' \
        'trusted_proxies = ["127.0.0.1"]' >recto.toml
}

# A program that ends is started again after a second, as systemd would do.
keep_running() { # NAME COMMAND [ARGUMENTS...]
    trap '' INT # Ctrl-C reaches this process, too, which then waits to be told.
    trap 'kill "$child" 2>/dev/null; wait "$child"; exit' TERM
    while true; do
        "${@:2}" >>"$1.log" 2>&1 &
        child=$!
        echo $child >"$1.pid"
        wait $child || true
        sleep 1 &
        child=$!
        wait $child
    done
}
start_servers() {
    local number
    for number in 1 2 3; do
        keep_running "recto-$number" "$recto" serve --data "recto-$number" \
            --listen "127.0.0.1:800$number" 9>&- &
    done
    for number in 1 2 3; do
        local tries=0
        until "$recto" health --url "http://127.0.0.1:800$number" >/dev/null 2>&1; do
            [ $((tries += 1)) -lt 300 ] || fail "a server does not start: see recto-$number.log"
            sleep 0.1
        done
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
    rm -f pid ./*.pid
}

trap stop_all EXIT
trap 'exit 0' INT TERM
start_database
[ -e recto.toml ] || fill_database
start_servers
cat <<EOT
http://localhost:8000 is the cluster, http://localhost:8000/admin/ its interface.
  user         admin, with the password in $folder/password
  token        in $folder/token
  Recto        at ports 8001, 8002 and 8003
  PostgreSQL   primary $primary at port $(port_of $primary)
               standby $standby at port $(port_of $standby)
Ctrl-C ends all of it.
EOT
while true; do sleep 3600 & wait $!; done
