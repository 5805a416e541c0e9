#!/usr/bin/env bash
# Two PostgreSQL servers in a folder, a primary and its synchronous standby, for the tests of
# clusters: how they are made, killed, and take each other's place.
#
#   tests/cluster/postgres.sh COMMAND FOLDER
#
#   create    makes both and starts them; prints the address of the database
#   kill      kills the primary, as a power cut would
#   promote   makes the standby the primary, which then accepts changes without a standby
#   rejoin    makes the killed one the standby of the other, which then waits for it at each commit
#   restart   kills the primary and starts it again, without a change of roles
#   destroy   stops both
#
# Wants Debian's postgresql package. PostgreSQL does not run as root: then it runs as `postgres`.
set -euo pipefail
command=$1 folder=$2
. "$(dirname "$0")/../processes.sh"
bin=$(dirname "$(find /usr/lib/postgresql/*/bin/initdb | sort -V | tail -1)")
as() { if [ "$(id -u)" = 0 ]; then setpriv --reuid postgres --regid postgres --init-groups -- "$@"; else "$@"; fi; }
user=$([ "$(id -u)" = 0 ] && echo postgres || id -un)
name() { cat "$folder/primary"; }
other() { [ "$(name)" = a ] && echo b || echo a; }
port() { cat "$folder/port-$1"; }
start() { as "$bin/pg_ctl" -D "$folder/$1" -l "$folder/$1.log" -w -t 30 start >/dev/null; }
sql() { as "$bin/psql" -qAt -h 127.0.0.1 -p "$(port "$1")" -d postgres -c "$2"; }
kill_hard() {
    # The supervisor first, so that it restarts nobody; its children end by themselves.
    kill -9 "$(head -1 "$folder/$1/postmaster.pid")"
    while as "$bin/pg_isready" -q -h 127.0.0.1 -p "$(port "$1")"; do sleep 0.05; done
}
clone() { # FROM TO: makes TO the standby of FROM
    rm -rf "${folder:?}/$2"
    as "$bin/pg_basebackup" -h 127.0.0.1 -p "$(port "$1")" -D "$folder/$2" -R -c fast
    as sed -i "s/^port = .*/port = $(port "$2")/" "$folder/$2/postgresql.conf"
    as rm -f "$folder/$2/postgresql.auto.conf.old"
    start "$2"
    sql "$1" "ALTER SYSTEM SET synchronous_standby_names = '*'"
    sql "$1" "SELECT pg_reload_conf()" >/dev/null
    until [ "$(sql "$1" "SELECT sync_state FROM pg_stat_replication")" = sync ]; do sleep 0.05; done
}
case $command in
    create)
        [ "$(id -u)" != 0 ] || chown postgres "$folder"
        read -r port_a port_b < <(free_ports 2)
        echo "$port_a" >"$folder/port-a"
        echo "$port_b" >"$folder/port-b"
        echo a >"$folder/primary"
        as "$bin/initdb" -D "$folder/a" -A trust --no-locale -E UTF8 >/dev/null
        as tee -a "$folder/a/postgresql.conf" >/dev/null <<EOF
port = $(port a)
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 200
wal_keep_size = '256MB'
EOF
        start a
        clone a b
        echo "postgres://$user@127.0.0.1:$(port a),127.0.0.1:$(port b)/postgres"
        ;;
    kill) kill_hard "$(name)" ;;
    promote)
        now=$(other)
        as "$bin/pg_ctl" -D "$folder/$now" -w promote >/dev/null
        echo "$now" >"$folder/primary"
        sql "$now" "ALTER SYSTEM SET synchronous_standby_names = ''"
        sql "$now" "SELECT pg_reload_conf()" >/dev/null
        ;;
    rejoin) clone "$(name)" "$(other)" ;;
    restart)
        kill_hard "$(name)"
        rm -f "$folder/$(name)/postmaster.pid"
        start "$(name)"
        ;;
    destroy)
        for server in a b; do
            as "$bin/pg_ctl" -D "$folder/$server" -m immediate stop >/dev/null 2>&1 || true
        done
        ;;
    *) echo "there is no command $command" >&2; exit 2 ;;
esac
