#!/usr/bin/env bash
# Three servers on two PostgreSQL servers: sixteen clients write while the primary is killed and its
# standby promoted, while it is killed and started again, while servers of Recto are killed, and
# while one of them cannot reach the database. Whatever was acknowledged must be there afterwards,
# once.
#
#   tests/cluster/failover.sh [ROUNDS]      one of these a round, 5 unless given
set -euo pipefail
cd "$(dirname "$0")/../.."
find /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || {
    echo "cluster: there is no PostgreSQL (Debian: postgresql)" >&2
    exit 2
}
ROUNDS=${1:-5} cargo test --locked --test it -- --ignored --nocapture --exact \
    cluster::failover::nothing_acknowledged_is_lost
