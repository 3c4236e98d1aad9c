#!/usr/bin/env bash
# What a blocking call costs through a layer that plugs in: natively, by a task that does nothing, by a composition.
# Usage: bench/programs/layers/run.sh [PEs]
set -euo pipefail
cd "$(dirname "$0")/../../.."
pes=${1:-2}
classes=$(mktemp -d)
trap 'rm -rf "$classes"' EXIT
./coterie info > /dev/null
javac --release 25 -d "$classes" -cp target/dist/lib/coterie.jar bench/programs/layers/LayerCosts.java
mkdir -p "$classes/META-INF/services"
echo 'LayerCosts$Idle' > "$classes/META-INF/services/coterie.layer.TransportLayer"
echo 'LayerCosts$Whole' > "$classes/META-INF/services/coterie.layer.CollectiveLayer"
for round in 1 2 3; do
    COTERIE_TLS='^idle,whole' ./coterie run -cp "$classes" -n "$pes" LayerCosts
    COTERIE_TL_IDLE_TUNE=inf ./coterie run -cp "$classes" -n "$pes" LayerCosts
    COTERIE_CL_WHOLE_TUNE=inf ./coterie run -cp "$classes" -n "$pes" LayerCosts
done
