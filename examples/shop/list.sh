#!/bin/sh
# Prints a price list of the shop, or of one kind of thing:  list.sh [mug|board|cloth]
# The server's address can be given in RECTO_URL.
set -eu

api="${RECTO_URL:-http://localhost:8080}/api/v1/workspaces/default"
set -- ${1:+--data-urlencode "filter[kind]=$1"}

curl --silent --show-error --fail --get "$@" \
    --data-urlencode "filter[available]=true" --data-urlencode "sort=price" \
    --data-urlencode "include=collection" "$api/content/products" |
jq --raw-output '
    .data[]
    | "\(.title)  (\(.data.collection.title // "no collection"))",
      (. as $product | .data.variants[]
        | "    \(.sku)  \(.name): \($product.data.price + .surcharge) \($product.data.currency), \(.stock) in stock")'
