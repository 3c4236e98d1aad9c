// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.internal.memory.JobSegment;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Looks for agents of a job that are silent for too long, until the job has ended. Such an agent is lost: its PEs
/// count as failed, and the launcher ends its remote shell.
final class AgentWatch extends Thread {
    private final Job job;
    private final JobSegment segment;
    private final JobService service;

    AgentWatch(Job job, JobSegment segment, JobService service) {
        super(null, null, "silence of agents", LinePump.STACK_BYTES);
        setDaemon(true);
        this.job = job;
        this.segment = segment;
        this.service = service;
    }

    @Override
    public void run() {
        long pauseNanos = TimeUnit.MILLISECONDS.toNanos(AgentSilence.pauseMillis(service.silenceMillis()));
        try {
            while (!job.awaitEnds(pauseNanos)) {
                for (PeProcess each : job.processes()) {
                    if (each instanceof HostProcess agent && agent.process().isAlive()) {
                        look(agent);
                    }
                }
            }
        } catch (InterruptedException e) {
            throw new AssertionError("the launcher never interrupts this thread", e);
        }
    }

    private void look(HostProcess agent) {
        String why = agent.silence();
        if (why == null) {
            return;
        }
        List<Integer> lost = agent.pes().stream()
                .filter(pe -> !segment.status(pe).state().hasTerminated())
                .toList();
        if (!lost.isEmpty()) {
            int exitCode = ExitCode.HOST_LOST.code();
            HostedFailure failure = new HostedFailure(lost.getFirst(), exitCode, HostedFailure.Kind.FAILED, why, "");
            String report = job.ended(lost, agent.pid(), exitCode, failure);
            for (int pe : lost) {
                service.failed(pe, why);
            }
            job.print(report);
        }
        agent.abandon();
    }
}
