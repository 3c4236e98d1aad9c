// SPDX-License-Identifier: Apache-2.0
package coterie.spark;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What a JVM needs so that its tasks can be PEs, said once in its log where it lacks.
final class ExecutorJvm {
    private static final Logger LOG = LoggerFactory.getLogger(ExecutorJvm.class);
    private static final AtomicBoolean CHECKED = new AtomicBoolean();
    private static final Runtime.Version FIRST_SAFE = Runtime.Version.parse("25.0.3");

    private ExecutorJvm() {}

    static void check() {
        if (CHECKED.compareAndSet(false, true)) {
            warnings(
                            Runtime.version(),
                            ManagementFactory.getGarbageCollectorMXBeans().stream()
                                    .map(GarbageCollectorMXBean::getName)
                                    .toList(),
                            ExecutorJvm.class.getModule().isNativeAccessEnabled())
                    .forEach(LOG::warn);
        }
    }

    /// Returns what is to be said of a JVM.
    ///
    /// @param collectors names of its collectors, as the platform MXBeans have them
    static List<String> warnings(Runtime.Version version, List<String> collectors, boolean nativeAccess) {
        List<String> warnings = new ArrayList<>();
        if (!nativeAccess) {
            warnings.add("This JVM has no option --enable-native-access=ALL-UNNAMED, so that the first world makes it"
                    + " print a warning, and later versions of Java will refuse it. spark-submit and executors of"
                    + " Spark 4.2 have it; a program that makes its own SparkContext in local mode gives it itself.");
        }
        if (version.compareToIgnoreOptional(FIRST_SAFE) < 0
                && collectors.stream().anyMatch(name -> name.startsWith("G1"))) {
            warnings.add("Java " + version + " with the G1 collector can move arrays that native code is using"
                    + " (JDK-8377811), such as those of Spark's compression. Use Java " + FIRST_SAFE
                    + " or later, or give executors -XX:+UseParallelGC by spark.executor.extraJavaOptions.");
        }
        return warnings;
    }
}
