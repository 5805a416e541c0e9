#!/usr/bin/env bash
# Short tests of several servers on PostgreSQL: the scenarios of the API, round trips, races and
# random requests on it, and a few kills. Longer ones: tests/cluster/failover.sh 25.
#
#   tests/cluster/run.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
if ! find /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1; then
    echo "skipped: there is no PostgreSQL (Debian: postgresql)"
    exit
fi
folder=$(mktemp -d)
cleanup() {
    tests/cluster/postgres.sh destroy "$folder" || true
    rm -rf "$folder"
}
trap cleanup EXIT
chmod 755 "$folder"
# The address of the primary alone.
address=$(tests/cluster/postgres.sh create "$folder" | sed 's/,[^/]*//')
RECTO_TEST_STORE=$address cargo test --locked --test it -- \
    api::scenarios::every_answer_is_the_recorded_one api::round_trip api::entry_roundtrip \
    cluster::races cluster::model cluster::commands
tests/cluster/postgres.sh destroy "$folder"
tests/cluster/failover.sh 5
