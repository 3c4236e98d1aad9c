// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.diagnosis.Diagnosis;
import coterie.diagnosis.Source;
import coterie.diagnosis.StuckOperation;
import coterie.diagnosis.Verdict;
import coterie.internal.launch.ExitCode;
import coterie.internal.launch.Job;
import coterie.internal.launch.JobSpec;
import coterie.internal.launch.Jobs;
import coterie.internal.launch.OnDeadlock;
import coterie.internal.launch.PeMode;
import coterie.junit.job.EndedJob;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// What a look from outside says about jobs that are stuck, late, or suspended.
class DiagnosisTest {
    private static final Duration LIMIT = DiagnosedJob.LIMIT;

    /// A build looks at both kinds of PEs in a circle, and at threads otherwise.
    static List<PeMode> modes() {
        return Boolean.getBoolean("coterie.soak") ? List.of(PeMode.PROCESSES, PeMode.THREADS) : List.of(PeMode.THREADS);
    }

    private static JobSpec spec(String what, int pes) {
        return DiagnosedJob.of(StuckProgram.class, what, pes).spec();
    }

    private static Diagnosis await(JobSpec spec, Verdict verdict) {
        return new DiagnosedJob(spec).await(verdict);
    }

    private static Diagnosis await(JobSpec spec, Verdict verdict, Consumer<Diagnosis> more) {
        return new DiagnosedJob(spec).await(verdict, more);
    }

    private static List<String> ids(Diagnosis diagnosis) {
        return DiagnosedJob.ids(diagnosis);
    }

    @ParameterizedTest
    @CsvSource({"PROCESSES, 2", "THREADS, 2"})
    @DisplayName("ST-S22: a job that waits in a circle is a DEADLOCK, with its chain and what to enqueue earlier")
    void circle(PeMode mode, int pes) {
        JobSpec spec = spec("circle", pes).withMode(mode).withOnDeadlock(OnDeadlock.IGNORE);
        Instant begin = Instant.now();
        try (Job job = Job.start(spec)) {
            Diagnosis diagnosis = await(spec, Verdict.DEADLOCK);
            assertThat(diagnosis.pes()).isEqualTo(pes);
            assertThat(ids(diagnosis)).contains("P0.host#0", "P0.S#0", "P0.S#1", "P0.S#2", "P1.S#0", "P1.S#1");
            assertThat(diagnosis.cycle()).isNotEmpty();
            assertThat(diagnosis.text())
                    .containsPattern("StuckProgram.java:\\d+ .*barrier of team \"world\"")
                    .contains("waits for word 0 of allocation 1 (64 B) on PE 0, which is 0, to be GE 1");
            assertThat(diagnosis.suggestions()).anyMatch(each -> each.startsWith("enqueue P"));
            assertThat(diagnosis.dot()).contains("P0.S#0");
            assertFields(diagnosis);
            assertSource(diagnosis, spec, begin);
            assertThat(job.whereabouts(0)).contains("waiting");
        }
    }

    @Test
    @Tag("soak")
    @DisplayName("ST-S22: a job of four PEs that waits in a circle is a DEADLOCK")
    void circleOfFour() {
        circle(PeMode.PROCESSES, 4);
    }

    @ParameterizedTest
    @MethodSource("modes")
    @DisplayName("ST-S22: the circle inside graphs is a DEADLOCK, too, with the operations of the graphs")
    void graphs(PeMode mode) {
        JobSpec spec = spec("graph", 2).withMode(mode).withOnDeadlock(OnDeadlock.IGNORE);
        try (Job job = Job.start(spec)) {
            Diagnosis diagnosis = await(spec, Verdict.DEADLOCK);
            assertThat(ids(diagnosis))
                    .contains("P0.host#0", "P0.S#0", "P0.S.graph#0", "P0.S.graph#1", "P1.S.graph#0", "P1.S.graph#1");
            assertThat(diagnosis.cycle()).isNotEmpty();
            assertThat(diagnosis.text()).containsPattern("StuckProgram.java:\\d+ .*barrier of team \"world\"");
            assertThat(diagnosis.suggestions()).anyMatch(each -> each.startsWith("enqueue P"));
            assertThat(job.whereabouts(0)).contains("waiting");
        }
    }

    private static void assertSource(Diagnosis diagnosis, JobSpec spec, Instant begin) {
        Jobs.Running running = new DiagnosedJob(spec).find().orElseThrow();
        assertThat(diagnosis.source().processes())
                .extracting(Source.PeProcess::pid)
                .isEqualTo(running.pes().stream().map(Jobs.Pe::pid).toList());
        assertThat(diagnosis.source().host()).isNotEmpty();
        assertThat(diagnosis.source().time()).isBetween(begin, Instant.now());
        assertThat(diagnosis.source().lanes())
                .filteredOn(each -> each.lane().equals("S"))
                .hasSize(spec.pes())
                .allMatch(each -> each.lastDropped() == -1);
    }

    @SuppressWarnings("unchecked")
    private static void assertFields(Diagnosis diagnosis) {
        Map<String, Object> fields = diagnosis.fields();
        assertThat(fields)
                .containsEntry("schema", Diagnosis.SCHEMA)
                .containsEntry("verdict", diagnosis.verdict().name())
                .containsEntry("pes", diagnosis.pes());
        List<Map<String, Object>> stuck = (List<Map<String, Object>>) fields.get("stuck");
        assertThat(stuck).extracting(each -> each.get("operation")).isEqualTo(ids(diagnosis));
        assertThat(stuck)
                .allSatisfy(each ->
                        assertThat(each).containsKeys("pe", "lane", "label", "site", "waitedNanos", "blockers"));
    }

    @Test
    @DisplayName("a stream that waits for a signal which has gone to another PE is told where it has gone")
    void astray() {
        JobSpec spec = spec("astray", 2).withOnDeadlock(OnDeadlock.IGNORE);
        try (Job job = Job.start(spec)) {
            Diagnosis diagnosis = await(spec, Verdict.DEADLOCK);
            assertThat(diagnosis.text())
                    .contains("word 0 of allocation 1 (64 B) on PE 0, which is 0, to be GE 1")
                    .contains("on PE 1 it is 1");
            assertThat(job.whereabouts(0)).contains("waiting");
        }
    }

    @Test
    @DisplayName(
            "operations that ran at once are not written, but a report tells of the latest 32 before the stuck one")
    void history() {
        JobSpec spec = spec("history", 2).withOnDeadlock(OnDeadlock.IGNORE);
        try (Job job = Job.start(spec)) {
            Diagnosis diagnosis = await(spec, Verdict.DEADLOCK);
            StuckOperation wait = diagnosis.stuck().stream()
                    .filter(each -> each.id().equals("P0.S#40"))
                    .findFirst()
                    .orElseThrow();
            assertThat(wait.details())
                    .containsEntry(
                            "laneHistory",
                            IntStream.range(8, 40)
                                    .mapToObj(each -> "#" + each + " put of a value")
                                    .toList());
            assertThat(job.whereabouts(0)).contains("waiting");
        }
    }

    @Test
    @DisplayName("ST-S35: a host function that runs after operations of its stream is named as what could help")
    void function() {
        JobSpec spec = spec("function", 2).withOnDeadlock(OnDeadlock.ABORT);
        try (Job job = Job.start(spec)) {
            String cause = "P1\\.S#40 at .*, host function, runs code of the program";
            await(
                    spec,
                    Verdict.STALLED,
                    diagnosis -> assertThat(diagnosis.causes()).anyMatch(each -> each.matches(cause)));
            assertThat(job.await()).isZero();
        }
    }

    @Test
    @DisplayName("threads of the program that wait for each other's words are a DEADLOCK, too")
    void hosts() {
        JobSpec spec = spec("hosts", 2).withOnDeadlock(OnDeadlock.IGNORE);
        try (Job job = Job.start(spec)) {
            Diagnosis diagnosis = await(spec, Verdict.DEADLOCK);
            assertThat(ids(diagnosis)).contains("P0.S#0", "P1.main#0");
            assertThat(job.whereabouts(1)).contains("waitUntil");
        }
    }

    @ParameterizedTest
    @MethodSource("modes")
    @DisplayName("ST-S35: a PE that computes makes it STALLED and is named; then all go on")
    void computes(PeMode mode) {
        JobSpec spec = spec("computes", 2).withMode(mode).withOnDeadlock(OnDeadlock.ABORT);
        try (Job job = Job.start(spec)) {
            await(spec, Verdict.STALLED, diagnosis -> {
                assertThat(diagnosis.causes()).contains("\"main\" of PE 1 runs code of the program");
                assertThat(ids(diagnosis)).contains("P0.S#0");
            });
            assertThat(job.await()).isZero();
        }
    }

    @Test
    @DisplayName("ST-S36: a PE that polls for ever makes it NO_PROGRESS and no DEADLOCK")
    void polls() {
        JobSpec spec = spec("polls", 2).withOnDeadlock(OnDeadlock.ABORT);
        try (Job job = Job.start(spec)) {
            Diagnosis diagnosis = await(spec, Verdict.NO_PROGRESS);
            assertThat(diagnosis.causes()).contains("\"main\" of PE 1 polls");
            assertThat(job.whereabouts(1)).isEqualTo("running");
        }
    }

    @Test
    @DisplayName("ST-S40: a suspended PE is named as unread; when it goes on, all do")
    void suspended() throws IOException, InterruptedException {
        JobSpec spec = spec("computes", 3).withOnDeadlock(OnDeadlock.ABORT);
        try (Job job = Job.start(spec)) {
            DiagnosedJob suspended = new DiagnosedJob(spec);
            await(spec, Verdict.STALLED, each -> assertThat(ids(each)).contains("P0.S#0"));
            suspended.signal("STOP", 1);
            Diagnosis diagnosis = await(spec, Verdict.STALLED);
            Awaitility.await()
                    .atMost(LIMIT)
                    .until(() -> suspended.diagnose().unknown().contains("what PE 1 does (its process is suspended)"));
            assertThat(ids(diagnosis)).contains("P0.S#0");
            suspended.signal("CONT", 1);
            assertThat(job.await()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = OnDeadlock.class,
            names = {"FAIL", "ABORT"})
    @DisplayName("a launcher ends the waits of a deadlock, or the job, as it was told")
    void policies(OnDeadlock policy) {
        EndedJob ended = EndedJob.of(spec("circle", 2).withOnDeadlock(policy));
        if (policy == OnDeadlock.ABORT) {
            assertThat(ended.exitCode()).isEqualTo(ExitCode.DEADLOCK.code());
        } else {
            assertThat(ended.exitCode()).isEqualTo(ExitCode.UNCAUGHT.code()); // it has left inside its world
            assertThat(ended.lines()).hasSize(2).allMatch(line -> line.contains("the job is in a deadlock"));
        }
    }

    @Test
    @DisplayName("a thread that helps ends the wait, and no launcher reports a deadlock")
    void helped() {
        for (String what : Arrays.asList("thread", "sends")) {
            EndedJob ended = EndedJob.of(spec(what, 2).withOnDeadlock(OnDeadlock.ABORT));
            assertThat(ended.exitCode()).isZero();
            assertThat(ended.lines()).containsExactlyInAnyOrder("0 fine", "1 fine");
        }
    }
}
