#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Packs the tests that need a GPU, for a machine that has one, and neither a JDK nor Maven nor a network.
#
#   cuda/device-tests.sh FOLDER        makes FOLDER: a Java runtime, the classes, and `run`
#
# On the other machine, which needs the NVIDIA driver and NVRTC:
#
#   FOLDER/run [CLASS...]              runs all classes with the tag `device`, or some; exit code 0 if all pass
#   FOLDER/coterie ARGUMENT...         the command line, for the benchmarks of bench/gpu.sh
#
#   COTERIE_NVRTC_LIBRARY, COTERIE_NCCL_LIBRARY   files of the libraries, where the loader does not find them
#   WRAPPER='compute-sanitizer --tool memcheck'   a command that runs Java
set -eu
[ $# -eq 1 ] || { sed -n '3,15s/^# \{0,1\}//p' "$0" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
java=${COTERIE_JAVA_HOME:-${JAVA_HOME:?set JAVA_HOME to a JDK 25 or newer}}
version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$java/release")
[ "${version:-0}" -ge 25 ] || { echo "$0: $java is no JDK 25 or newer; set COTERIE_JAVA_HOME or JAVA_HOME" >&2; exit 2; }
rm -rf "$folder/runtime" "$folder/jars" "$folder/console" "$folder/classes" "$folder/dist"

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
"$java/bin/jlink" --strip-debug --no-header-files --no-man-pages --compress zip-9 --output "$folder/runtime" \
    --add-modules java.logging,java.xml,java.net.http,jdk.compiler,jdk.management,jdk.jfr,jdk.unsupported,jdk.zipfs,jdk.incubator.vector

cat > "$folder/run" <<'RUN'
#!/bin/bash
# Runs the tests with the tag `device`, or the named classes.
here=$(cd "$(dirname "$0")" && pwd)
select=(--include-tag device --scan-classpath "$here/classes")
[ $# -eq 0 ] || { select=(); for each; do select+=(--select-class "$each"); done; }
exec ${WRAPPER:-} "$here/runtime/bin/java" --enable-native-access=ALL-UNNAMED -cp "$here/classes:$here/jars/*:$here/console/*" \
    org.junit.platform.console.ConsoleLauncher execute --disable-banner --details=tree --disable-ansi-colors "${select[@]}"
RUN
cat > "$folder/coterie" <<'RUN'
#!/bin/bash
# The command line of Coterie, with the runtime of this folder.
here=$(cd "$(dirname "$0")" && pwd)
exec "$here/runtime/bin/java" --enable-native-access=coterie,ALL-UNNAMED -p "$here/dist" -m coterie.cli/coterie.cli.Main "$@"
RUN
chmod +x "$folder/run" "$folder/coterie"
du -sh "$folder" | cut -f1
