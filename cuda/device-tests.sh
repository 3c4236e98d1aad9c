#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Packs the tests that need a GPU, for a machine that has one, and neither a JDK nor Maven nor a network.
#
#   cuda/device-tests.sh FOLDER        makes FOLDER: a Java runtime, the classes, and what its README names; and
#                                      FOLDER.tar.xz, or .gz without xz, to send there
#
# The other machine needs the NVIDIA driver and NVRTC. FOLDER/README says how to run tests, examples and measurements
# there.
set -eu
[ $# -eq 1 ] || { sed -n '3,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
java=${COTERIE_JAVA_HOME:-${JAVA_HOME:?set JAVA_HOME to a JDK 25 or newer}}
version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$java/release")
[ "${version:-0}" -ge 25 ] || { echo "$0: $java is no JDK 25 or newer; set COTERIE_JAVA_HOME or JAVA_HOME" >&2; exit 2; }
rm -rf "$folder/runtime" "$folder/jars" "$folder/console" "$folder/classes" "$folder/dist" "$folder/gpu" "$folder/bench"

cd "$root"
./mvnw -B -ntp -q -pl cuda,dist -am package -DskipTests
./mvnw -B -ntp -q -pl cuda -am package -DskipTests dependency:copy-dependencies \
    -DincludeScope=test -DoutputDirectory="$folder/jars"
for artifact in console reporting; do
    version=$(basename "$(ls "$folder"/jars/junit-platform-engine-*.jar)" .jar)
    ./mvnw -B -ntp -q -N dependency:copy -Dartifact="org.junit.platform:junit-platform-$artifact:${version##*-}" \
        -DoutputDirectory="$folder/console"
done
cp -r cuda/target/classes "$folder/classes"
cp -r cuda/target/test-classes/. "$folder/classes"
cp -r target/dist/lib "$folder/dist"
cp -r examples/gpu "$folder/gpu"
mkdir -p "$folder/bench/programs" "$folder/bench/c"
cp bench/gpu.sh "$folder/bench"
cp -r bench/programs/gpu "$folder/bench/programs"
cp bench/c/nvshmem_costs.cu "$folder/bench/c"
# Not compressed: the archive of all is smaller so.
"$java/bin/jlink" --strip-debug --no-header-files --no-man-pages --compress zip-0 --output "$folder/runtime" \
    --add-modules java.logging,java.xml,java.net.http,jdk.compiler,jdk.management,jdk.jfr,jdk.unsupported,jdk.zipfs,jdk.incubator.vector

cp cuda/device-tests/* "$folder"
name=$(basename "$folder")
command -v xz > /dev/null && suffix=xz || suffix=gz
sed -i "s/device-tests\.tar\.xz/$name.tar.$suffix/g" "$folder/README"
archive=$folder.tar.$suffix
tar -C "$(dirname "$folder")" -caf "$archive" "$name"
packed=$(stat -c %s "$archive")
echo "$folder: $(du -sm "$folder" | cut -f1) MiB; to send: $archive, $(((packed + (1 << 20) - 1) >> 20)) MiB"
echo "there: tar xf $(basename "$archive"), or python3 -m tarfile -e $(basename "$archive") ."
[ "$packed" -le $((50 << 20)) ] || echo "$0: more than 50 MiB: some machines are sent little more" >&2
