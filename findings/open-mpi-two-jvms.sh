#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Open MPI 4.1.4 (Debian 12: 4.1.4-3+b1) and JDK 25 (seen with Temurin 25.0.3+9): JVMs under mpirun.
#
# Input: mpirun starts 2, then 3, JVMs without options that concern processors or collectors.
#
# Behaviour seen: with one or two ranks mpirun binds each to a core, with three or more to a socket or not at
# all. A JVM that is bound to a core with one hardware thread counts one processor: the serial collector instead
# of G1, and a common pool of one thread. So a measurement of 1, 2, 3, 4 ranks compares different JVMs, and a
# test with two ranks is no test of what four will run. With --bind-to none all JVMs are alike.
#
# Needs a JDK 25 in JAVA_HOME, a machine with two cores or more of one hardware thread each and 2 GB of memory,
# dpkg, and apt's lists of Debian 12. Changes nothing outside a temporary folder. Fails if the behaviour
# changes.
set -euo pipefail
java=${JAVA_HOME:?a JDK 25}/bin/java
[[ $(nproc) -ge 2 ]] || { echo "this machine has one processor" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
chmod 755 .
mkdir -p debs/partial
apt-get install --reinstall --download-only --yes --no-install-recommends -o Dir::Cache::archives="$work/debs" \
  openmpi-bin=4.1.4-3+b1 libopenmpi3=4.1.4-3+b1 openmpi-common=4.1.4-3 >log 2>&1
for package in debs/*.deb; do dpkg -x "$package" root; done
cat >Machine.java <<'JAVA'
public class Machine {
    public static void main(String[] arguments) {
        String collector = java.lang.management.ManagementFactory.getGarbageCollectorMXBeans().getFirst().getName();
        int processors = Runtime.getRuntime().availableProcessors();
        System.out.println((processors == 1 ? "one processor, " : "several processors, ") + collector);
    }
}
JAVA
"${java}c" Machine.java

expect() { # text, options of mpirun
  LD_LIBRARY_PATH=$work/root/usr/lib/x86_64-linux-gnu OPAL_PREFIX=$work/root/usr OMPI_ALLOW_RUN_AS_ROOT=1 \
    OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 root/usr/bin/mpirun.openmpi --oversubscribe "${@:2}" "$java" -cp . Machine >seen
  echo "mpirun ${*:2}: each JVM has $(sort -u seen)"
  [[ $(sort -u seen) == "$1" ]] || { echo "changed: $(cat seen)" >&2; exit 1; }
}
expect 'one processor, Copy' -n 2
expect 'several processors, G1 Young Generation' -n 3
expect 'several processors, G1 Young Generation' -n 2 --bind-to none
