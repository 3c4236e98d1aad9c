// SPDX-License-Identifier: Apache-2.0
package coterie.examples;

import coterie.Comparison;
import coterie.SignalWord;
import coterie.World;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import jdk.jfr.consumer.RecordingStream;

/// A program in which all PEs wait, and code beside the waits ends them: `LateHelp MILLIS`, by which it comes late.
final class LateHelp {
    /// Names that threads of the JVM and of the runtime have.
    private static final String[] NAMES = {
        "coterie-progress-0", "JFR Recorder Thread", "JFR Periodic Tasks", "Finalizer", "Common-Cleaner", "main"
    };

    private final World world;
    private final SignalWord signal;
    private final long millis;
    private long round;

    private LateHelp(World world, long millis) {
        this.world = world;
        this.signal = world.allocate(Long.BYTES).signal(0);
        this.millis = millis;
    }

    public static void main(String[] args) throws Exception {
        LateHelp program = new LateHelp(World.join(), Long.parseLong(args[0]));
        for (String name : NAMES) {
            program.round(name, () -> new Thread(program::help, name).start());
        }
        program.round("a thread in the JVM's group", () -> new Thread(jvm(), program::help, "helper").start());
        program.mainThread();
        program.round("a finalizer", program::finalizer);
        program.round("a listener of collections", program::listener);
        try (RecordingStream stream = new RecordingStream()) {
            program.round("a stream of events", () -> program.recorder(stream));
        }
        if (program.world.pe() == 0) {
            System.out.println("all have helped");
        }
    }

    private static ThreadGroup jvm() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) {
            group = group.getParent();
        }
        return group;
    }

    private interface Start {
        void run() throws InterruptedException;
    }

    /// All PEs wait, and PE 0 has started what ends the waits.
    private void round(String name, Start start) throws InterruptedException {
        world.team().barrier();
        round++;
        if (world.pe() == 0) {
            System.out.println(name);
            start.run();
        }
        signal.waitUntil(Comparison.GE, round);
    }

    private void help() {
        try {
            Thread.sleep(millis); // what the test is about
        } catch (InterruptedException e) {
            throw new AssertionError("nothing interrupts this thread", e);
        }
        for (int pe = 0; pe < world.size(); pe++) {
            signal.add(1, pe);
        }
    }

    /// The main thread helps a thread that waits.
    private void mainThread() throws InterruptedException {
        world.team().barrier();
        round++;
        if (world.pe() == 0) {
            Thread waiting = new Thread(() -> signal.waitUntil(Comparison.GE, round));
            waiting.start();
            help();
            waiting.join();
        } else {
            signal.waitUntil(Comparison.GE, round);
        }
    }

    private void finalizer() {
        AtomicBoolean isRunning = new AtomicBoolean();
        makeGarbage(isRunning);
        while (!isRunning.get()) {
            System.gc();
        }
    }

    private void makeGarbage(AtomicBoolean isRunning) {
        Object _ = new Object() {
            @Override
            @SuppressWarnings({"removal", "Finalize"}) // programs have finalizers
            protected void finalize() {
                isRunning.set(true);
                help();
            }
        };
    }

    private void listener() {
        AtomicBoolean isRunning = new AtomicBoolean();
        NotificationListener helper = (_, _) -> {
            if (isRunning.compareAndSet(false, true)) {
                help();
            }
        };
        for (GarbageCollectorMXBean each : ManagementFactory.getGarbageCollectorMXBeans()) {
            ((NotificationEmitter) each).addNotificationListener(helper, null, null);
        }
        while (!isRunning.get()) {
            System.gc();
        }
    }

    private void recorder(RecordingStream stream) {
        AtomicBoolean isRunning = new AtomicBoolean();
        stream.enable("jdk.CPULoad").withPeriod(Duration.ofMillis(20));
        stream.onEvent("jdk.CPULoad", _ -> {
            if (isRunning.compareAndSet(false, true)) {
                help();
            }
        });
        stream.startAsync();
    }
}
