#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The sum of a vector of each of two executors by allReduce, treeAggregate and allGather, and k-means beside MLlib's,
# by turns in one application. Builds what it needs, with Spark 4.2 from the Maven repository.
#
#   bench/spark.sh [ELEMENTS [ROWS]]
#
#   ROUNDS=5   MAVEN_ARGS="-Dmaven.repo.local=..."   JAVA_HOME, a JDK 25
set -eu
here=$(cd "$(dirname "$0")" && pwd)
java=${JAVA_HOME:?a JDK 25}/bin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck disable=SC2086 # several words
(cd "$here/.." && env -u JAVA_HOME ./mvnw -B -q -pl examples/spark -am ${MAVEN_ARGS:-} -DskipTests -DskipITs \
    -Dspotless.check.skip=true package dependency:copy-dependencies -DoutputDirectory="$work/jars" -DincludeScope=compile)
cp "$here"/../examples/spark/target/coterie-spark-examples-*.jar "$work/jars"
"$java/javac" -nowarn -cp "$work/jars/*" -d "$work" "$here"/programs/spark/*.java
(cd "$work" && "$java/jar" cf jars/costs.jar ./*.class)
options=(--enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow)
for package in lang lang.invoke lang.reflect io net nio util util.concurrent util.concurrent.atomic; do
    options+=("--add-opens=java.base/java.$package=ALL-UNNAMED")
done
for package in sun.nio.ch sun.nio.cs sun.util.calendar; do
    options+=("--add-opens=java.base/$package=ALL-UNNAMED")
done
export SPARK_HOME=$work SPARK_SCALA_VERSION=2.13 SPARK_LOCAL_IP=127.0.0.1
run() {
    "$java/java" "${options[@]}" -Xmx2g -cp "$work/jars/*" "$@" 2>"$work/errors" || { tail -20 "$work/errors" >&2; exit 1; }
}
run SparkCosts "${1:-1000000}" "${ROUNDS:-5}"
run SparkClusters "${2:-400000}" "${ROUNDS:-5}"
