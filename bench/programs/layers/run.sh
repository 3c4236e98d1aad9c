#!/usr/bin/env bash
# What a blocking call costs through a layer that plugs in: natively, by a task that does nothing, by a composition.
# Usage: bench/programs/layers/run.sh [PEs]; COTERIE is the checkout to measure, by default this one.
set -euo pipefail
cd "$(dirname "$0")/../../.."
pes=${1:-2}
home=${COTERIE:-.}
classes=$(mktemp -d)
trap 'rm -rf "$classes"' EXIT
java_home=$("$home/coterie" info | sed -n 's/^java home *: //p')
"$java_home/bin/javac" --release 25 -d "$classes" -cp "$home"/target/dist/lib/coterie.jar bench/programs/layers/LayerCosts.java
mkdir -p "$classes/META-INF/services"
echo 'LayerCosts$Idle' > "$classes/META-INF/services/coterie.layer.TransportLayer"
echo 'LayerCosts$Whole' > "$classes/META-INF/services/coterie.layer.CollectiveLayer"
for round in 1 2 3; do
    COTERIE_TLS='^idle,whole' "$home/coterie" run -cp "$classes" -n "$pes" LayerCosts
    COTERIE_TL_IDLE_TUNE=inf "$home/coterie" run -cp "$classes" -n "$pes" LayerCosts
    COTERIE_CL_WHOLE_TUNE=inf "$home/coterie" run -cp "$classes" -n "$pes" LayerCosts
done
