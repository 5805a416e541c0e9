# Functions of the tests that run programs, for bash: a folder and processes that go when the test
# ends, ports that nobody has, and waiting. Sourcing it does nothing else.

# Makes the folder $work. It is removed at the end, when the processes in $pids have ended.
begin_test() { # NAME
    label=$1 work=$(mktemp -d) pids=()
    trap end_test EXIT
}

end_test() {
    end_processes
    rm -rf "$work"
}

end_processes() {
    local pid
    for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
    wait 2>/dev/null || true
}

fail() { # MESSAGE
    local log
    echo "$label: $*" >&2
    for log in "$work"/*.log; do
        if [ -s "$log" ]; then tail -n 20 "$log" >&2; fi
    done
    exit 1
}

# Prints ports of this machine that nobody has, in one line. They are below those that Linux gives to
# outgoing connections, of which another test may get any.
free_ports() { # COUNT
    local port found=()
    for port in $(shuf -i 20000-31999 -n 100); do
        [ ${#found[@]} -lt "$1" ] || break
        (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || found+=("$port")
    done
    echo "${found[@]}"
}

# Waits until a command succeeds, half a minute at most.
await() { # COMMAND ARGUMENT…
    for _ in $(seq 300); do
        if "$@" >/dev/null 2>&1; then return; fi
        sleep 0.1
    done
    fail "this did not succeed: $*"
}

# Starts $recto, which listens on $listen, or on any port. $server is the process, and $address where
# it answers.
serve() { # ARGUMENT…
    "$recto" serve --listen "${listen:-127.0.0.1:0}" "$@" >"$work/ready" 2>"$work/server.log" &
    server=$!
    pids+=("$server")
    await is_ready_or_gone
    kill -0 "$server" 2>/dev/null || fail "the server ended"
    address=$(grep -oE 'http://[^ /]+:[0-9]+' "$work/ready" | head -n 1)
}

is_ready_or_gone() {
    grep -qE 'http://[^ /]+:[0-9]+' "$work/ready" || ! kill -0 "$server"
}
