// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.internal.memory.JobSegment;
import coterie.internal.memory.StatusField;
import coterie.internal.posix.Libc;
import coterie.internal.world.JobEnvironment;
import java.io.DataInputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The main class of the agent that starts the PEs of one host. The launcher runs it by a remote shell.
///
/// ```
///  launcher ── AgentCommand ──► standard input of the agent      order, signals, input of PE 0
///           ◄── OutputLabels ── standard output and error        lines of the PEs, and how each ended
/// ```
///
/// The agent ends when its last PE has ended, when its input ends, and when the launcher is silent for too long.
/// The kernel kills the PEs when the agent ends, however it does.
final class HostAgent {
    private static final int KILLED = ExitCode.ofSignal(9);

    private final AgentOrder order;
    private final @Nullable StagedFolder staged;
    private final JobSegment segment;
    private final List<Process> processes = new ArrayList<>();
    private final List<Watch> watches = new ArrayList<>();
    private final FileOutputStream out = new FileOutputStream(FileDescriptor.out);
    private final FileOutputStream err = new FileOutputStream(FileDescriptor.err);
    private final LinkedBlockingQueue<byte[]> input = new LinkedBlockingQueue<>();
    private volatile long heardNanos = System.nanoTime();

    private HostAgent(AgentOrder order) throws IOException {
        this.order = order;
        this.staged =
                order.staged().isEmpty() ? null : new StagedFolder(Path.of(order.staged()), Path.of(order.folder()));
        this.segment = JobSegment.create(new JobSegment.Parameters(
                order.name(),
                order.size(),
                0,
                Runtime.getRuntime().availableProcessors(),
                true,
                Collections.nCopies(order.size(), 0),
                true));
    }

    /// The JVM calls this.
    ///
    /// @param args none
    public static void main(String[] args) throws InterruptedException {
        DataInputStream in = new DataInputStream(System.in);
        try {
            AgentCommand first = AgentCommand.read(in);
            if (first.kind() != AgentCommand.Kind.START) {
                throw new IOException("the first command is " + first.kind() + " and not START");
            }
            HostAgent agent = new HostAgent(AgentOrder.decode(first.body()));
            Thread.ofPlatform().daemon().name("life of the agent").start(agent::showLife);
            agent.start();
            Thread.ofPlatform().daemon().name("commands of the launcher").start(() -> agent.obey(in));
            agent.awaitEnds();
        } catch (IOException e) {
            System.err.println("coterie: the agent of a host can't start PEs: " + e.getMessage());
            Runtime.getRuntime().halt(ExitCode.INTERNAL.code());
        }
    }

    /// Starts the PEs. The calling thread must live as long as they do: the kernel kills them when it ends.
    private void start() throws IOException {
        Path key = keyFile();
        Path folder = Path.of(order.folder());
        JavaCommand command = JavaCommand.acrossHosts(order.spec(), order.encoding());
        for (int local = 0; local < order.pes(); local++) {
            int pe = order.first() + local;
            boolean readsInput = order.readsInput() && pe == 0;
            ProcessBuilder builder = new ProcessBuilder(command.ofPe(local)).directory(folder.toFile());
            if (!readsInput) {
                builder.redirectInput(Path.of("/dev/null").toFile());
            }
            Map<String, String> environment = builder.environment();
            environment.put(JobEnvironment.COTERIE_PE.name(), Integer.toString(pe));
            environment.put(JobEnvironment.COTERIE_SIZE.name(), Integer.toString(order.size()));
            environment.put(JobEnvironment.COTERIE_LOCAL_PE.name(), Integer.toString(local));
            environment.put(JobEnvironment.COTERIE_LOCAL_SIZE.name(), Integer.toString(order.pes()));
            environment.put(
                    JobEnvironment.COTERIE_SEGMENT.name(), segment.path().toString());
            environment.put(JobEnvironment.COTERIE_JOB_KEY.name(), key.toString());
            environment.put("COTERIE_NODE", order.node());
            environment.putAll(order.environment());
            Process process = builder.start();
            processes.add(process);
            segment.status(pe).set(StatusField.PID, process.pid());
            if (readsInput) {
                Thread.ofPlatform().daemon().name("input of PE 0").start(() -> passInput(process.getOutputStream()));
            }
        }
        for (int local = 0; local < order.pes(); local++) {
            Watch watch = new Watch(order.first() + local, processes.get(local));
            watches.add(watch);
            watch.start();
        }
    }

    /// Writes the key to a file in memory that only processes of this user can open, by the agent's descriptor: it
    /// disappears with the agent, however the agent ends.
    private Path keyFile() throws IOException {
        byte[] key = order.key().getBytes(StandardCharsets.UTF_8);
        int descriptor = Libc.memfd("coterie-key", key.length);
        Path file = Path.of("/proc/" + ProcessHandle.current().pid() + "/fd/" + descriptor);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        Files.write(file, key);
        return file;
    }

    /// Shows the launcher that this agent lives, whatever its other threads wait for.
    private void showLife() {
        try {
            while (true) {
                OutputLabels.alive(out);
                TimeUnit.MILLISECONDS.sleep(AgentSilence.pauseMillis(order.silenceMillis()));
            }
        } catch (IOException e) {
            leave(KILLED); // the launcher reads no more
        } catch (InterruptedException e) {
            throw new AssertionError("the agent never interrupts this thread", e);
        }
    }

    /// Executes what the launcher sends; its end is the end of this agent.
    private void obey(DataInputStream in) {
        try {
            while (true) {
                AgentCommand command = AgentCommand.read(in);
                heardNanos = System.nanoTime();
                switch (command.kind()) {
                    case SIGNAL -> signal(ByteBuffer.wrap(command.body()).getInt());
                    case INPUT -> input.add(command.body());
                    case ALIVE, START -> {}
                }
            }
        } catch (IOException e) {
            leave(KILLED);
        }
    }

    /// Ends the agent, and with it the PEs that run; what was copied for the job goes.
    private void leave(int code) {
        StagedFolder its = staged;
        if (its != null) {
            try {
                List<Path> written = its.remove();
                if (!written.isEmpty()) {
                    System.err.println("coterie: files that the job has written stay on host " + order.node() + ": "
                            + written.stream().map(Path::toString).collect(Collectors.joining(", ")));
                }
            } catch (IOException e) {
                System.err.println("coterie: " + order.staged() + " stays on host " + order.node() + ": " + e);
            }
        }
        System.err.flush();
        Runtime.getRuntime().halt(code);
    }

    private void signal(int number) {
        for (Process each : processes) {
            if (each.isAlive()) {
                Libc.kill(each.pid(), number);
            }
        }
    }

    private void passInput(OutputStream to) {
        try (to) {
            byte[] bytes = input.take();
            while (bytes.length > 0) {
                to.write(bytes);
                to.flush();
                bytes = input.take();
            }
        } catch (IOException | InterruptedException e) {
            return; // PE 0 has closed its input, or has ended
        }
    }

    private void awaitEnds() throws InterruptedException {
        long silence = TimeUnit.MILLISECONDS.toNanos(order.silenceMillis());
        long look = AgentSilence.pauseMillis(order.silenceMillis());
        for (Process each : processes) {
            while (!each.waitFor(look, TimeUnit.MILLISECONDS)) {
                if (System.nanoTime() - heardNanos > silence) {
                    leave(KILLED); // the launcher, or the way to it, is gone
                }
            }
        }
        for (Watch each : watches) {
            each.join();
        }
        segment.close();
        leave(ExitCode.SUCCESS.code());
    }

    /// Passes on what a PE prints, waits for its end and reports it.
    private final class Watch extends Thread {
        private final int pe;
        private final Process process;

        Watch(int pe, Process process) {
            super(null, null, "end of PE " + pe, LinePump.STACK_BYTES);
            this.pe = pe;
            this.process = process;
        }

        @Override
        public void run() {
            OutputLabels.Writer standardError = new OutputLabels.Writer(err, pe);
            LinePump outPump = pump("stdout", process.getInputStream(), new OutputLabels.Writer(out, pe));
            LinePump errPump = pump("stderr", process.getErrorStream(), standardError);
            try {
                int code = process.waitFor();
                outPump.finish();
                errPump.finish();
                standardError.ended(pe, code, process.pid());
            } catch (InterruptedException e) {
                throw new AssertionError("the agent never interrupts this thread", e);
            } catch (IOException e) {
                leave(KILLED); // the launcher reads no more
            }
        }

        private LinePump pump(String stream, InputStream from, OutputLabels.Writer to) {
            LineTarget target = new LineTarget() {
                @Override
                public void lines(byte[] bytes, int start, int end) throws IOException {
                    to.write(bytes, start, end);
                }
            };
            LinePump.Trouble trouble = new LinePump.Trouble() {
                @Override
                public void outputFailed(Exception cause) {
                    leave(KILLED);
                }
            };
            LinePump pump =
                    new LinePump(stream + " of PE " + pe, from, target, LinePump.MOST_LINE_BYTES, new byte[0], trouble);
            pump.start();
            return pump;
        }
    }
}
