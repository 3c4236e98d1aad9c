#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Messages per second of a channel between two PEs beside a ring by hand (bench/c/channel.c), by turns.
#
#   bench/channel.sh
#
#   SIZES="64 4096"  bytes of a message      SLOTS=64   SECONDS_EACH=1   ROUNDS=5
#   COTERIE="coterie run -n 2 --bind core"   how to run the program
set -eu
export SLOTS=${SLOTS:-64}
here=$(cd "$(dirname "$0")" && pwd)
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
cc -std=gnu11 -O3 -march=native -Wall -Wextra -o "$build/channel" "$here/c/channel.c"
run=${COTERIE:-$here/../coterie run -n 2 --bind core}
for bytes in ${SIZES:-64 4096}; do
    for round in $(seq "${ROUNDS:-5}"); do
        by_hand=$("$build/channel" "$bytes" "${SECONDS_EACH:-1}")
        ours=$($run "$here/programs/ChannelRate.java" "$bytes" "$SLOTS" "${SECONDS_EACH:-1}")
        echo "$bytes $by_hand $ours"
    done
done | awk '{ printf "%5d B  by hand %10d/s  channel %10d/s  ratio %.2f\n", $1, $2, $3, $3 / $2 }'
