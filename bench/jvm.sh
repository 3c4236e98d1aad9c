#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A sample sort beside Arrays.parallelSort, and k-means beside a parallel stream, each pair in one run.
#
#   bench/jvm.sh [NUMBERS [POINTS]]
#
#   ROUNDS=5   COTERIE="coterie run -n 2"
set -eu
here=$(cd "$(dirname "$0")" && pwd)
for _ in $(seq "${ROUNDS:-5}"); do
    ${COTERIE:-$here/../coterie run -n 2} "$here/programs/SampleSort.java" "${1:-4194304}"
    ${COTERIE:-$here/../coterie run -n 2} "$here/programs/KMeans.java" "${2:-400000}"
done
