// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The remote shell that runs the agent of a host, with the PEs of the host. What the launcher asks of the PEs
/// goes to the agent as an [AgentCommand]; a thread sends the commands, so that a host that does not read blocks
/// no other.
final class HostProcess extends PeProcess {
    private static final int SIGTERM = 15;
    private static final int SIGKILL = 9;

    /// Time for the agent to end after it has killed the PEs; then the launcher ends the remote shell.
    private static final long KILL_MILLIS = 2000;

    private static final int INPUT_BYTES = 1 << 14;
    private static final int MAX_INPUTS = 64;

    private final String host;
    private final LinkedBlockingQueue<AgentCommand> commands = new LinkedBlockingQueue<>();

    /// Pieces of input that may wait to be sent, so that a PE that does not read does not fill the launcher's
    /// memory.
    private final Semaphore inputs = new Semaphore(MAX_INPUTS);

    private final long pauseMillis;
    private final LinePump out;
    private final AgentSilence silence;

    /// @param service has the bounds of silence at both ends
    HostProcess(String host, List<Integer> pes, Process process, LinePump out, LinePump err, JobService service) {
        super(pes, process, out, err);
        this.host = host;
        this.out = out;
        this.pauseMillis = AgentSilence.pauseMillis(service.silenceMillis());
        this.silence = new AgentSilence(host, service.silenceMillis(), service.joinMillis());
    }

    String host() {
        return host;
    }

    /// Looks whether the agent is silent for too long; one thread does so, after each pause of
    /// [AgentSilence#pauseMillis].
    ///
    /// @return one phrase if it is, else null
    @Nullable
    String silence() {
        return silence.look(out.currentRead(), out.hasRead());
    }

    /// Ends the remote shell of an agent that counts as lost. If the agent goes on later, it finds its input ended.
    void abandon() {
        process().toHandle().destroyForcibly();
    }

    /// Sends the order and then what comes, until the agent ends.
    void start(AgentOrder order) {
        commands.add(new AgentCommand(AgentCommand.Kind.START, order.encode()));
        Thread.ofPlatform().daemon().name("commands to host " + host).start(this::send);
    }

    private void send() {
        try (OutputStream to = process().getOutputStream()) {
            while (process().isAlive()) {
                AgentCommand command = commands.poll(pauseMillis, TimeUnit.MILLISECONDS);
                to.write((command == null ? AgentCommand.alive() : command).encode());
                to.flush();
                if (command != null && command.kind() == AgentCommand.Kind.INPUT) {
                    inputs.release();
                }
            }
        } catch (IOException e) {
            return; // the remote shell has ended: its exit code says more
        } catch (InterruptedException e) {
            throw new AssertionError("the launcher never interrupts this thread", e);
        }
    }

    /// Passes a stream on to PE 0, in a thread of its own.
    void pass(InputStream input) {
        Thread.ofPlatform().daemon().name("input of PE 0").start(() -> {
            byte[] buffer = new byte[INPUT_BYTES];
            try {
                int count;
                do {
                    count = input.read(buffer);
                    byte[] bytes = Arrays.copyOf(buffer, Math.max(0, count));
                    inputs.acquire();
                    commands.put(new AgentCommand(AgentCommand.Kind.INPUT, bytes));
                } while (count >= 0);
            } catch (IOException | InterruptedException e) {
                return; // the launcher's input is of no use any more; PE 0 reads no further
            }
        });
    }

    @Override
    void signal(int number) {
        commands.add(AgentCommand.signal(number));
    }

    @Override
    void terminate() {
        signal(SIGTERM);
    }

    @Override
    void kill() {
        if (process().isAlive()) {
            signal(SIGKILL);
            Thread.ofPlatform().daemon().name("end of host " + host).start(() -> {
                try {
                    if (!process().waitFor(KILL_MILLIS, TimeUnit.MILLISECONDS)) {
                        process().toHandle().destroyForcibly();
                    }
                } catch (InterruptedException e) {
                    throw new AssertionError("the launcher never interrupts this thread", e);
                }
            });
        }
    }
}
