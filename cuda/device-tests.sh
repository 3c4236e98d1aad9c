#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Packs the tests that need a GPU, for a machine that has one, and neither a JDK nor Maven nor a network.
#
#   cuda/device-tests.sh FOLDER        makes FOLDER: a Java runtime, the classes, and what its README names
#
# The other machine needs the NVIDIA driver and NVRTC. FOLDER/README says how to run tests, examples and measurements
# there.
set -eu
[ $# -eq 1 ] || { sed -n '3,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
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
"$java/bin/jlink" --strip-debug --no-header-files --no-man-pages --compress zip-9 --output "$folder/runtime" \
    --add-modules java.logging,java.xml,java.net.http,jdk.compiler,jdk.management,jdk.jfr,jdk.unsupported,jdk.zipfs,jdk.incubator.vector

cat > "$folder/README" <<'README'
Tests of Coterie that need a GPU, with a Java runtime. The machine needs the NVIDIA driver of CUDA 12.0 or later, and
NVRTC 12 or 13; NCCL and NVSHMEM for what uses them.

  ./run [JAVA_OPTION...] [CLASS|CLASS#METHOD]...    the tests with the tag `device`, or some of them
  ./examples                                        the programs of gpu/ on the device; they check their results
  bench/gpu.sh [RESULTS.csv]                        measures; its first lines say how
  ./coterie ARGUMENT...                             the command line: ./coterie info names the device and what it can

The exit code is 0 if all is well. For instance:

  ./run coterie.cuda.DeviceTest coterie.cuda.KernelsOnDeviceTest#scopes
  ./run -Dcoterie.soak=true coterie.cuda.KernelsOnDeviceTest         a million rounds where kernels run at one time
  WRAPPER='compute-sanitizer --tool memcheck --target-processes all --error-exitcode 9' ./run

WRAPPER is a command that runs Java. Without --error-exitcode the sanitizer reports errors and ends with 0.

Where the loader does not find the libraries, as with those of pip's wheels, name the files. Below the folder
site-packages/nvidia the wheels have

  COTERIE_NVRTC_LIBRARY   cuda_nvrtc/lib/libnvrtc.so.12     (nvidia-cuda-nvrtc-cu12)
  COTERIE_NCCL_LIBRARY    nccl/lib/libnccl.so.2             (nvidia-nccl-cu12)
  NVSHMEM_HOME            nvshmem                           (nvidia-nvshmem-cu12; bench/gpu.sh also needs nvcc)

COTERIE_CUDA_LIBRARY names the driver's library, if it is not libcuda.so.1.
README
cat > "$folder/environment" <<'ENVIRONMENT'
# Sourced by the programs of this folder.
# Kernels of several PEs wait for each other in one context. So the driver loads all code before the first kernel runs,
# since it may wait for running kernels when it loads one, and each stream has a queue of the device, of which there are
# 8 by default and 32 at most: a stream that waits holds up those of its queue.
export CUDA_MODULE_LOADING=${CUDA_MODULE_LOADING:-EAGER}
export CUDA_DEVICE_MAX_CONNECTIONS=${CUDA_DEVICE_MAX_CONNECTIONS:-32}
ENVIRONMENT
cat > "$folder/run" <<'RUN'
#!/bin/bash
# Runs the tests with the tag `device`, or the named classes and methods; see README.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/environment"
options=()
select=()
for each; do
    case $each in
        -*) options+=("$each") ;;
        *\#*\(*) select+=(--select-method "$each") ;;
        *\#*) select+=(--select-method "$each(coterie.World)") ;; # what the methods of device tests take
        *) select+=(--select-class "$each") ;;
    esac
done
[ ${#select[@]} -gt 0 ] || select=(--include-tag device --scan-classpath "$here/classes")
exec ${WRAPPER:-} "$here/runtime/bin/java" --enable-native-access=ALL-UNNAMED "${options[@]}" \
    -cp "$here/classes:$here/jars/*:$here/console/*" org.junit.platform.console.ConsoleLauncher execute \
    --disable-banner --details=tree --disable-ansi-colors --fail-if-no-tests "${select[@]}"
RUN
cat > "$folder/examples" <<'EXAMPLES'
#!/bin/bash
# Runs the programs of the folder gpu on two PEs of the device, and checks what they print.
here=$(cd "$(dirname "$0")" && pwd)
failed=0
# expect WORDS PROGRAM ARGUMENT...
expect() {
    local words=$1 text
    shift
    text=$("$here/coterie" run -n 2 --pes threads "$@") && grep -q "$words" <<< "$text" || failed=1
    echo "$text"
}
expect "the plate is that of one thread" "$here/gpu/HaloExchange.java" 4 200 "$here/gpu/halo.cu"
expect "the results are those of one thread" "$here/gpu/TokenDispatch.java" 32 3 "$here/gpu/dispatch.cu"
exit $failed
EXAMPLES
cat > "$folder/coterie" <<'COTERIE'
#!/bin/bash
# The command line of Coterie, with the runtime of this folder.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/environment"
exec "$here/runtime/bin/java" --enable-native-access=coterie,ALL-UNNAMED -p "$here/dist" -m coterie.cli/coterie.cli.Main "$@"
COTERIE
chmod +x "$folder/run" "$folder/examples" "$folder/coterie"
packed=$(tar -C "$(dirname "$folder")" -cz "$(basename "$folder")" | wc -c)
echo "$folder: $(du -sm "$folder" | cut -f1) MiB, packed $((packed >> 20)) MiB"
[ "$packed" -le $((60 << 20)) ] || echo "$0: more than 60 MiB packed: some machines are sent no more" >&2
