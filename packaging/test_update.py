"""Updates a running server like an operator with systemd: checks, downloads and installs the next
version, then restarts the server, while clients ask without a pause. No request may fail.

usage: test_update.py PROGRAM FOLDER VERSION MANIFEST KEY
"""

import http.client
import os
import socket
import subprocess
import sys
import threading

program, folder, version, manifest, key = sys.argv[1:]
listener = socket.create_server(("127.0.0.1", 0))
port = listener.getsockname()[1]
settings = {
    "RECTO_DATA": folder,
    "RECTO_UPDATES_URL": manifest,
    "RECTO_UPDATES_PUBLIC_KEY": key,
    "RECTO_UPDATES_ALLOW_PRIVATE": "true",
    "RECTO_LOG_LEVEL": "warn",
}


def start():
    """Starts a server with the socket as descriptor 3, like a service manager, and waits for it."""
    script = 'exec 3<&0 </dev/null; LISTEN_FDS=1 LISTEN_PID=$$ exec "$@"'
    child = subprocess.Popen(
        ["sh", "-c", script, "sh", program, "serve"],
        stdin=listener.fileno(),
        stdout=subprocess.PIPE,
        env={**os.environ, **settings},
    )
    line = child.stdout.readline().decode()
    assert "serves" in line, f"the server did not start: {line}"
    return child, line


def recto(*arguments):
    return subprocess.run(
        [program, *arguments], env={**os.environ, **settings}, capture_output=True, text=True
    )


over = threading.Event()
counts, failures = [0] * 4, []


def ask(number):
    try:
        while not over.is_set():
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
            while not over.is_set():
                connection.request("GET", "/api/v1/workspaces/default/content/posts?limit=1")
                answer = connection.getresponse()
                answer.read()
                assert answer.status == 200, answer.status
                counts[number] += 1
                if answer.getheader("Connection") == "close":
                    break
    except Exception as error:  # every failure counts
        failures.append(repr(error))


old, line = start()
clients = [threading.Thread(target=ask, args=(number,)) for number in range(len(counts))]
for client in clients:
    client.start()
for step in (["check"], ["download"], ["install", "--anyway"]):
    ran = recto("update", *step)
    assert ran.returncode == 0, f"update {step}: {ran.stdout}{ran.stderr}"
assert f"recto {version}" == recto("--version").stdout.splitlines()[0]
asked_before = sum(counts)
old.terminate()
assert old.wait(30) == 0
new, line = start()
assert f"Recto {version} " in line, line
goal = sum(counts) + 100
while sum(counts) < goal and not failures:
    pass
over.set()
for client in clients:
    client.join()
new.terminate()
new.wait(30)
assert not failures, failures
assert asked_before > 0
print(f"{sum(counts)} requests, none failed")
