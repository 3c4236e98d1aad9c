// SPDX-License-Identifier: Apache-2.0
package coterie.internal.wait;

import coterie.internal.posix.Libc;
import coterie.spi.FaultSteps;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Faults that a test plants at the steps of algorithms: `barrier:1@2=kill` kills PE 2 when it reaches step 1 of
/// its first barrier.
///
/// ```
///  fault  = algorithm ":" step "@" pe ["#" time] "=" action      several are separated by commas
///         | "steps"      logs each step as the PE reaches it, with its time and its line of code
///  time   = at which time it comes there, the first if none is named
///  action = "kill"       kills the process by signal 9
///         | "exit"       ends it with hooks, exit code 1
///         | "throw"      throws an exception
///         | "fail"       reports the PE as failed, exit code 1, and throws: for PEs that are threads
/// ```
///
/// Each fires once. A PE logs `fault` and the time of [System#nanoTime] before it kills itself, and for `steps`
/// messages such as `step barrier:1@2#3 FlatRound.java:281`.
final class FaultInjector implements FaultSteps {
    private static final System.Logger LOGGER = System.getLogger("coterie");
    private static final Pattern FAULT =
            Pattern.compile("(\\w+):(\\d+)@(\\d+)(?:#([1-9]\\d*))?=(kill|exit|throw|fail)");
    private static final String STEPS = "steps";
    private static final int SIGKILL = 9;

    /// Looked through by all threads of the PE.
    private final List<Fault> planted = new CopyOnWriteArrayList<>();

    /// How often the PE has reached each step, where it logs them.
    private final Map<String, Long> times = new ConcurrentHashMap<>();

    private final int pe;
    private final Runnable fail;
    private boolean logsSteps;

    private record Fault(String text, String algorithm, int step, AtomicLong times, String action) {}

    /// The faults of `text` that concern this PE.
    ///
    /// @param fail reports this PE as failed
    /// @throws IllegalArgumentException if `text` is not of the form above
    FaultInjector(String text, int pe, Runnable fail) {
        this.pe = pe;
        this.fail = fail;
        for (String part : text.split(",", -1)) {
            Matcher fault = FAULT.matcher(part.strip());
            if (part.strip().equals(STEPS)) {
                logsSteps = true;
            } else if (!fault.matches()) {
                throw new IllegalArgumentException(
                        "setting fault: \"" + part
                                + "\" is not algorithm:step@pe=action, or algorithm:step@pe#time=action, with action kill, exit, throw or fail, as in barrier:1@2=kill; nor is it steps");
            } else if (Integer.parseInt(fault.group(3)) == pe) {
                long time = fault.group(4) == null ? 1 : Long.parseLong(fault.group(4));
                planted.add(new Fault(
                        fault.group(),
                        fault.group(1),
                        Integer.parseInt(fault.group(2)),
                        new AtomicLong(time),
                        fault.group(5)));
            }
        }
        if (!planted.isEmpty()) {
            // The first message takes long, and so does the first call: it makes the method handle.
            LOGGER.log(System.Logger.Level.WARNING, "this PE has planted faults: " + text);
            Libc.kill(ProcessHandle.current().pid(), 0);
        }
    }

    @Override
    public void step(String algorithm, int step) {
        if (logsSteps) {
            log(algorithm, step);
        }
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

    private void log(String algorithm, int step) {
        String name = algorithm + ":" + step + "@" + pe;
        long time = times.merge(name, 1L, Long::sum);
        String line = StackWalker.getInstance()
                .walk(frames -> frames.filter(
                                frame -> !frame.getClassName().startsWith(FaultInjector.class.getPackageName()))
                        .findFirst()
                        .map(frame -> " " + frame.getFileName() + ":" + frame.getLineNumber())
                        .orElse(""));
        LOGGER.log(System.Logger.Level.WARNING, "step " + name + "#" + time + line);
    }

    private void inject(Fault fault) {
        if (fault.action.equals("fail")) {
            fail.run();
        }
        switch (fault.action) {
            case "kill" -> {
                LOGGER.log(System.Logger.Level.WARNING, "fault " + fault.text + " at " + System.nanoTime());
                Libc.kill(ProcessHandle.current().pid(), SIGKILL);
            }
            case "exit" -> System.exit(1);
            default ->
                throw new IllegalStateException("planted fault at step " + fault.step + " of " + fault.algorithm);
        }
    }
}
