// SPDX-License-Identifier: Apache-2.0
package coterie.internal.wait;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Faults that a test plants at the steps of algorithms: `barrier:1@2=kill` ends PE 2 the way SIGKILL would, when
/// it reaches step 1 of its first barrier.
///
/// ```
///  fault  = algorithm ":" step "@" pe ["#" time] "=" action      several are separated by commas
///  time   = at which time it comes there, the first if none is named
///  action = "kill"       ends the process at once, exit code 137
///         | "exit"       ends it with hooks, exit code 1
///         | "throw"      throws an exception
///         | "fail"       reports the PE as failed, exit code 1, and throws: for PEs that are threads
/// ```
///
/// Each fires once.
final class FaultInjector {
    private static final Pattern FAULT =
            Pattern.compile("(\\w+):(\\d+)@(\\d+)(?:#([1-9]\\d*))?=(kill|exit|throw|fail)");
    private static final int KILLED = 137;

    /// Looked through by all threads of the PE.
    private final List<Fault> planted = new CopyOnWriteArrayList<>();

    private final Runnable fail;

    private record Fault(String algorithm, int step, AtomicLong times, String action) {}

    /// The faults of `text` that concern this PE.
    ///
    /// @param fail reports this PE as failed
    /// @throws IllegalArgumentException if `text` is not of the form above
    FaultInjector(String text, int pe, Runnable fail) {
        this.fail = fail;
        for (String part : text.split(",", -1)) {
            Matcher fault = FAULT.matcher(part.strip());
            if (!fault.matches()) {
                throw new IllegalArgumentException(
                        "setting fault: \"" + part
                                + "\" is not algorithm:step@pe=action, or algorithm:step@pe#time=action, with action kill, exit, throw or fail, as in barrier:1@2=kill");
            }
            if (Integer.parseInt(fault.group(3)) == pe) {
                long times = fault.group(4) == null ? 1 : Long.parseLong(fault.group(4));
                planted.add(new Fault(
                        fault.group(1), Integer.parseInt(fault.group(2)), new AtomicLong(times), fault.group(5)));
            }
        }
    }

    void step(String algorithm, int step) {
        for (Fault fault : List.copyOf(planted)) {
            if (fault.step == step
                    && fault.algorithm.equalsIgnoreCase(algorithm)
                    && fault.times.decrementAndGet() == 0
                    && planted.remove(fault)) {
                inject(fault);
                return;
            }
        }
    }

    private void inject(Fault fault) {
        if (fault.action.equals("fail")) {
            fail.run();
        }
        switch (fault.action) {
            case "kill" -> Runtime.getRuntime().halt(KILLED);
            case "exit" -> System.exit(1);
            default ->
                throw new IllegalStateException("planted fault at step " + fault.step + " of " + fault.algorithm);
        }
    }
}
