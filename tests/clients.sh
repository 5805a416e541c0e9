#!/usr/bin/env bash
# Lets generators make clients of the OpenAPI document, compiles them, and makes three calls and one
# that is refused with each, against the built program and the sample content. Needs the network for
# the generators, whose versions are pinned in tests/clients/; what they need and is not there is
# told as skipped.
#
#   tests/clients.sh                          all that this machine can run: some minutes
#   tests/clients.sh typescript python        these languages; the generator of `rust` is compiled
#                                             first, which takes longest
#   RECTO_BIN=target/release/recto tests/clients.sh     with another build
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/.."
[ $# -gt 0 ] || set -- typescript python rust
for language; do
    [ -d "$here/clients/$language" ] || { echo "there are no clients in $language" >&2; exit 2; }
done
languages=" $* "
command -v curl >/dev/null || { echo "skipped: there is no curl, so no clients"; exit; }
recto=$(realpath "${RECTO_BIN:-target/debug/recto}")
built=${CARGO_TARGET_DIR:-target}/clients
mkdir -p "$built"
built=$(cd "$built" && pwd)

. tests/processes.sh
begin_test clients
cp -R data-skeleton "$work/data"
RECTO_TOKEN=$("$recto" token create --data "$work/data" --name clients --grant 'content.*@content:*')
serve --data "$work/data"
export RECTO_BASE=$address RECTO_TOKEN
document=$RECTO_BASE/api/v1/workspaces/default/openapi.json
curl -sS --fail "$document" >"$built/openapi.json"
curl -sS --fail "$document?profile=simple" >"$built/simple.json"

n_clients=0
said() { n_clients=$((n_clients + 1)); echo "clients: $* passed"; }

# The sources of a language beside what is made of them, so that the tree stays clean.
copied() { # LANGUAGE
    mkdir -p "$built/$1"
    cp -R "$here/clients/$1/." "$built/$1"
    cd "$built/$1"
    rm -rf generated generated_client generated_models.py
}

# Of the simple document: without "include" no type contains itself, which Rust's cannot.
rust() (
    copied rust
    # The client is built for this machine, whatever the server was built for.
    unset CARGO_BUILD_TARGET
    export CARGO_TARGET_DIR=$built/rust/target
    export PATH=$built/rust/tools/bin:$PATH
    # Done already where this version is there.
    cargo install --quiet --locked --root tools ploidy@0.15.0 2>install.log || { cat install.log >&2; exit 1; }
    ploidy generate rust "$built/simple.json" --output generated >generated.log 2>&1
    env --unset RUSTC_WORKSPACE_WRAPPER cargo build --quiet --locked
    "$CARGO_TARGET_DIR/debug/calls"
)

typescript() (
    copied typescript
    npm ci --no-fund --no-audit --loglevel=error
    npx openapi-typescript "$built/openapi.json" -o generated/openapi-typescript.ts >/dev/null
    npx openapi-ts -i "$built/openapi.json" -o generated/hey-api -c @hey-api/client-fetch >/dev/null
    npx tsc --noEmit false
    node built/openapi-fetch.js
    node built/hey-api.js
)

python() (
    copied python
    export PATH=$PWD/venv/bin:$PATH
    generated=generated_client
    # It warns of files, whose type the document cannot say.
    venv/bin/openapi-python-client generate --path "$built/openapi.json" --meta none \
        --output-path "$generated" --overwrite >generated.log
    venv/bin/datamodel-codegen --input "$built/openapi.json" --input-file-type openapi \
        --output-model-type pydantic_v2.BaseModel --target-python-version 3.11 \
        --output generated_models.py
    venv/bin/python -m compileall -q "$generated" generated_models.py
    venv/bin/python calls_openapi_python_client.py
    venv/bin/python calls_datamodel.py
)

python_tools() (
    copied python
    [ -x venv/bin/pip ] || python3 -m venv venv
    venv/bin/pip install --quiet --disable-pip-version-check -r requirements.txt
)

wants() { [[ $languages == *" $1 "* ]]; }
if ! wants typescript; then
    :
elif command -v npm >/dev/null; then
    typescript
    said openapi-typescript with openapi-fetch
    said Hey API
else
    echo "skipped: there is no npm, so no TypeScript clients"
fi
if ! wants python; then
    :
elif python3 -c 'import ensurepip, venv' 2>/dev/null; then
    python_tools
    python
    said openapi-python-client
    said datamodel-code-generator
else
    echo "skipped: there is no Python with venv, so no Python clients"
fi
if ! wants rust; then
    :
elif command -v cargo >/dev/null; then
    rust
    said ploidy
else
    echo "skipped: there is no cargo, so no Rust client"
fi
echo "clients: $n_clients generators passed, of$languages"
