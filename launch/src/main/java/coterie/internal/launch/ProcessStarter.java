// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.internal.launch.JobSpec.Input;
import coterie.internal.memory.JobSegment;
import coterie.internal.world.JobEnvironment;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/// Starts the processes of a job and connects their three streams.
final class ProcessStarter {
    private static final Redirect NOTHING = Redirect.from(new File("/dev/null"));

    private final JobSpec spec;
    private final JobSegment segment;
    private final OutputRouting outputRouting;
    private final Job job;
    private final JavaCommand command;
    private final OutputStream[] inputs;

    ProcessStarter(JobSpec spec, JobSegment segment, OutputRouting outputRouting, Job job) {
        this.spec = spec;
        this.segment = segment;
        this.outputRouting = outputRouting;
        this.job = job;
        this.command = new JavaCommand(spec, outputRouting.encoding(), outputRouting.foldsTraces());
        this.inputs = new OutputStream[spec.pes()];
    }

    /// Starts one PE.
    PeProcess pe(int pe) throws IOException {
        // The starter opens the targets first: if this fails, there is no process to end.
        LineTarget out = outputRouting.of(pe, false);
        LineTarget err = withoutRecording(pe, quiet(outputRouting.of(pe, true)));
        Process process = start(command.ofPe(pe), pe, pe == 0 && spec.input() == Input.FIRST);
        if (spec.input() == Input.PIPES) {
            inputs[pe] = process.getOutputStream();
        }
        return piped(List.of(pe), process, out, err, LinePump.MOST_LINE_BYTES);
    }

    /// Starts the process that hosts all PEs.
    PeProcess host() throws IOException {
        List<LineTarget> out = new ArrayList<>(spec.pes());
        List<LineTarget> err = new ArrayList<>(spec.pes());
        List<Integer> pes = new ArrayList<>(spec.pes());
        for (int pe = 0; pe < spec.pes(); pe++) {
            out.add(outputRouting.of(pe, false));
            err.add(outputRouting.of(pe, true));
            pes.add(pe);
        }
        Process process = start(command.ofHost(), 0, spec.input() == Input.FIRST);
        if (spec.input() == Input.PIPES) {
            StdinFrames.Writer frames = new StdinFrames.Writer(process.getOutputStream());
            Arrays.setAll(inputs, frames::of);
        }
        long pid = process.pid();
        OutputLabels.HostListener hostListener = new OutputLabels.HostListener() {
            @Override
            public void failed(HostedFailure failure) {
                job.hostedFailed(pid, failure);
            }

            @Override
            public void onNotice(String story) {
                job.told(story);
            }

            @Override
            public void ended(int pe, int exitCode, long pidOfPe) {
                throw new IllegalStateException("threads have no process that ends, PE " + pe + " has");
            }
        };
        return piped(
                pes,
                process,
                reader(out, outputRouting.ofHost(false, out.getFirst()), hostListener),
                quiet(reader(err, outputRouting.ofHost(true, err.getFirst()), hostListener)),
                OutputLabels.MOST_HOST_LINE_BYTES);
    }

    private OutputLabels.Reader reader(
            List<LineTarget> pes, LineTarget unlabelled, OutputLabels.HostListener hostListener) {
        return new OutputLabels.Reader(pes, unlabelled, outputRouting.continuation(), hostListener);
    }

    /// Returns a target without the JVM's warning about the Vector API, if the launcher and not the user has
    /// asked for this API: the user can't do anything about the warning.
    private LineTarget quiet(LineTarget err) {
        return command.addsVectors() ? VectorModule.withoutNotice(err) : err;
    }

    /// Returns a target without the JVM's message that a PE has recorded its run.
    private LineTarget withoutRecording(int pe, LineTarget err) {
        JobSpec.TrainingFiles trainingFiles = spec.trainingFiles();
        return pe == 0 && trainingFiles != null && trainingFiles.recording() != null
                ? new NoticeFilter(" AOTConfiguration recorded: " + trainingFiles.recording() + "\n", err)
                : err;
    }

    private Process start(List<String> line, int pe, boolean inherits) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(line);
        if (inherits) {
            builder.redirectInput(Redirect.INHERIT);
        } else if (spec.input() != Input.PIPES) {
            builder.redirectInput(NOTHING);
        }
        Map<String, String> environment = builder.environment();
        String number = Integer.toString(pe);
        String size = Integer.toString(spec.pes());
        environment.put(JobEnvironment.COTERIE_PE.name(), number);
        environment.put(JobEnvironment.COTERIE_SIZE.name(), size);
        environment.put(JobEnvironment.COTERIE_LOCAL_PE.name(), number);
        environment.put(JobEnvironment.COTERIE_LOCAL_SIZE.name(), size);
        environment.put(JobEnvironment.COTERIE_SEGMENT.name(), segment.path().toString());
        environment.remove(JobEnvironment.COTERIE_JOB_KEY.name()); // this job has another key, and needs none
        environment.putAll(spec.environment());
        return builder.start();
    }

    private PeProcess piped(List<Integer> pes, Process process, LineTarget out, LineTarget err, int mostLineBytes) {
        return new PeProcess(
                pes,
                process,
                pump("stdout", pes, process.getInputStream(), out, mostLineBytes),
                pump("stderr", pes, process.getErrorStream(), err, mostLineBytes));
    }

    private LinePump pump(String name, List<Integer> pes, InputStream from, LineTarget to, int mostLineBytes) {
        byte[] continuation = outputRouting.continuation();
        LinePump.Trouble trouble = new LinePump.Trouble() {
            @Override
            public void outputFailed(Exception cause) {
                job.outputFailed(cause);
            }
        };
        LinePump pump =
                new LinePump(name + " of " + PeNumbers.text(pes), from, to, mostLineBytes, continuation, trouble);
        pump.start();
        return pump;
    }

    /// Starts the agent of a host by the remote shell, and sends it its order.
    ///
    /// @param key of the job, as text
    HostProcess agent(HostPlan plan, int host, String key) throws IOException {
        HostPlan.Host its = plan.hosts().get(host);
        List<LineTarget> out = new ArrayList<>(Collections.nCopies(spec.pes(), OutputRouting.NOWHERE));
        List<LineTarget> err = new ArrayList<>(out);
        List<Integer> pes = new ArrayList<>();
        for (int pe = plan.firstPe(host); pes.size() < its.pes(); pe++) {
            out.set(pe, outputRouting.of(pe, false));
            err.set(pe, quiet(outputRouting.of(pe, true)));
            pes.add(pe);
        }
        List<String> line = new ArrayList<>(plan.remoteShell());
        line.add(its.name());
        line.addAll(command.ofAgent(plan.staging(), host));
        Process process = new ProcessBuilder(line).start();
        OutputLabels.HostListener listener = new OutputLabels.HostListener() {
            @Override
            public void failed(HostedFailure failure) {
                throw new IllegalStateException("an agent reports ends, and not " + failure);
            }

            @Override
            public void onNotice(String story) {
                throw new IllegalStateException("an agent simulates nothing, and not " + story);
            }

            @Override
            public void ended(int pe, int exitCode, long pid) {
                job.agentReported(pe, exitCode, pid);
            }
        };
        int first = pes.getFirst();
        LineTarget outTarget = reader(out, outputRouting.ofHost(false, out.get(first)), listener);
        LineTarget errTarget = reader(err, outputRouting.ofHost(true, err.get(first)), listener);
        int most = OutputLabels.MOST_HOST_LINE_BYTES;
        HostProcess started = new HostProcess(
                its.name(),
                pes,
                process,
                pump("stdout", pes, process.getInputStream(), outTarget, most),
                pump("stderr", pes, process.getErrorStream(), errTarget, most),
                plan.service());
        AgentOrder order = AgentOrder.of(spec, plan, host, outputRouting.encoding(), key);
        started.start(order);
        if (order.readsInput()) {
            started.pass(System.in);
        }
        return started;
    }

    /// See [Job#inputOf].
    OutputStream inputOf(int pe) {
        if (spec.input() != Input.PIPES || pe < 0 || pe >= spec.pes()) {
            throw new IllegalArgumentException("input of PE " + pe + " of job " + spec.name() + ": it has " + spec.pes()
                    + " PEs and input " + spec.input() + "; a PE below that and PIPES are needed");
        }
        return inputs[pe];
    }
}
