// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.Comparison;
import coterie.internal.memory.JobSegment;
import coterie.internal.memory.StatusField;
import coterie.internal.memory.StatusPage;
import coterie.internal.record.RecordedAllocation;
import coterie.internal.wait.Awaitable;
import coterie.internal.wait.OperationKind;
import coterie.internal.wait.WordType;
import coterie.spi.PeState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Phrases of the launcher's reports: how a PE ended, and what the other PEs were doing. The source is the PEs'
/// status pages, which may change while the launcher reads them.
final class JobReport {
    private static final List<String> SIGNALS = List.of(
            "", "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE",
            "ALRM", "TERM");

    private static final List<WordType> WORD_TYPES = List.of(WordType.values());

    private static final String RUNNING = "running";
    private static final String WAITING = "waiting in ";

    private JobReport() {}

    /// Returns one phrase about how PEs of one process failed. Exit code 0 is a failure only inside a world.
    ///
    /// @param told what their host has reported about the failure, or null
    static String failed(List<Integer> pes, long pid, int exitCode, long afterNanos, @Nullable HostedFailure told) {
        if (told != null && told.kind() == HostedFailure.Kind.KILLED) {
            return PeNumbers.text(pes) + " was killed: " + told.what();
        }
        if (told != null && told.kind() == HostedFailure.Kind.FAILED) {
            return PeNumbers.text(pes) + (pes.size() == 1 ? " has" : " have") + " failed: " + told.what();
        }
        StringBuilder text = new StringBuilder(PeNumbers.text(pes))
                .append(" (pid ")
                .append(pid)
                .append(") ended with exit code ");
        text.append(exitCode);
        if (ExitCodePolicy.isSignal(exitCode)) {
            text.append(" (").append(signal(exitCode - ExitCode.ofSignal(0))).append(')');
        }
        if (exitCode == 0) {
            text.append(" inside ").append(pes.size() == 1 ? "its world" : "their world");
        }
        return text.append(" after ").append(seconds(afterNanos)).toString();
    }

    /// Returns which PE has aborted the job and where, or null for exit code 0, which is no failure.
    static @Nullable String aborted(JobSegment segment, long afterNanos) {
        int code = segment.abortCode().orElse(0);
        int pe = segment.abortingPe();
        if (code == 0 || pe < 0) {
            return null;
        }
        String place = segment.status(pe).endPlace();
        return "PE " + pe + " aborted the job with exit code " + code + (place.isEmpty() ? "" : " at " + place)
                + ", after " + seconds(afterNanos);
    }

    /// Returns what all PEs that still run are doing, except those of `except`: "; PEs 0, 1 were …; PE 3 was …".
    /// Empty if no other PE runs.
    static String doings(JobSegment segment, List<Integer> except) {
        StringBuilder text = new StringBuilder();
        byDoing(segment, except)
                .forEach((doing, pes) -> text.append("; ")
                        .append(PeNumbers.text(pes))
                        .append(pes.size() == 1 ? " was " : " were ")
                        .append(doing));
        return text.toString();
    }

    /// Returns what each PE that still runs is doing.
    static Map<Integer, String> snapshot(JobSegment segment) {
        Map<Integer, String> doings = new LinkedHashMap<>();
        for (int pe = 0; pe < segment.size(); pe++) {
            StatusPage page = segment.status(pe);
            if (!page.state().hasTerminated()) {
                doings.put(pe, doing(page));
            }
        }
        return doings;
    }

    /// Returns what PEs were doing when they were asked to end, one line for all that did the same. A PE that did not
    /// wait has written on its page where it was, as it ended.
    static List<String> endings(JobSegment segment, Map<Integer, String> doings) {
        Map<String, List<Integer>> groups = new LinkedHashMap<>();
        doings.forEach((pe, doing) -> {
            String place = doing.startsWith(WAITING) ? "" : segment.status(pe).endPlace();
            String whole = place.isEmpty() ? doing : doing + (doing.equals(RUNNING) ? " at " : ", at ") + place;
            groups.computeIfAbsent(whole, key -> new ArrayList<>()).add(pe);
        });
        List<String> lines = new ArrayList<>();
        groups.forEach((doing, pes) -> lines.add(PeNumbers.text(pes) + (pes.size() == 1 ? " was " : " were ") + doing));
        return lines;
    }

    /// Returns what all PEs that still run are doing, one line for all PEs that do the same: "PEs 0, 1: waiting
    /// in …".
    static String lines(JobSegment segment) {
        StringBuilder text = new StringBuilder();
        byDoing(segment, List.of())
                .forEach((doing, pes) -> text.append(text.isEmpty() ? "" : "\n")
                        .append(PeNumbers.text(pes))
                        .append(": ")
                        .append(doing));
        return text.toString();
    }

    private static Map<String, List<Integer>> byDoing(JobSegment segment, List<Integer> except) {
        Map<String, List<Integer>> groups = new LinkedHashMap<>();
        for (int pe = 0; pe < segment.size(); pe++) {
            StatusPage page = segment.status(pe);
            if (!except.contains(pe) && !page.state().hasTerminated()) {
                groups.computeIfAbsent(doing(page), key -> new ArrayList<>()).add(pe);
            }
        }
        return groups;
    }

    /// Returns what a PE is doing: "waiting in barrier #88 at App.java:12", "running", "ended (exit code 0)".
    static String doing(StatusPage page) {
        PeState state = page.state();
        OperationKind kind = OperationKind.of(page.get(StatusField.WAIT_KIND));
        return switch (state) {
            case STARTING -> "outside the world, not joined yet";
            case CLOSED -> "outside the world, closed it";
            case RUNNING -> {
                String site = page.waitSite();
                yield kind == OperationKind.NONE
                        ? RUNNING
                        : WAITING + waiting(page, kind) + (site.isEmpty() ? "" : " at " + site);
            }
            case ENDED, FAILED -> {
                long code = page.get(StatusField.EXIT_CODE);
                yield code == 0 && state == PeState.FAILED
                        ? "ended inside its world (exit code 0)"
                        : "ended (exit code " + code + ")";
            }
        };
    }

    static String waiting(StatusPage page, OperationKind kind) {
        String statement = page.waitStatement();
        if (kind == OperationKind.STATEMENT && !statement.isEmpty()) {
            return statement;
        }
        StringBuilder text = new StringBuilder(kind.label());
        long sequence = page.get(StatusField.WAIT_SEQUENCE);
        long offset = page.get(StatusField.WAIT_OFFSET);
        long pe = page.get(StatusField.WAIT_PE);
        if (kind == OperationKind.WORD || (kind == OperationKind.WORDS && offset >= 0)) {
            long words = page.get(StatusField.WAIT_WORDS);
            text.append(" until ")
                    .append(words == 1 ? "" : words == 0 ? "one from " : "one of " + words + " words from ");
            RecordedAllocation allocation = allocation(page);
            text.append(
                    allocation != null
                            ? allocation.word(offset, type(page).byteSize())
                            : statement.isEmpty() ? "the word at offset " + offset : statement);
            text.append(" is ").append(comparison(page)).append(' ').append(page.get(StatusField.WAIT_OPERAND));
            String remark = page.waitRemark();
            text.append(remark.isEmpty() ? "" : "; " + remark);
        } else if (kind == OperationKind.LOCK && pe >= 0) {
            text.append(" behind PE ").append(pe);
        } else if (sequence >= 0) {
            text.append(" #").append(sequence);
            text.append(statement.isEmpty() ? "" : " " + statement); // the tag of a request
            String team = page.waitTeam();
            text.append(team.isEmpty() || team.equals("world") ? "" : " of team " + team);
            text.append(pe == Awaitable.LAYER ? ", for a task of layer " + page.waitLayer() : "");
        }
        return text.toString();
    }

    /// Returns the allocation that the awaited word is in; null while that is not known, and for a word with a
    /// name.
    static @Nullable RecordedAllocation allocation(StatusPage page) {
        long offset = page.get(StatusField.WAIT_ALLOCATION);
        String name = page.waitStatement();
        return offset < 0 || name.isEmpty() ? null : new RecordedAllocation(offset, name);
    }

    /// Returns the type of the awaited word.
    static WordType type(StatusPage page) {
        return WORD_TYPES.get(Math.clamp(page.get(StatusField.WAIT_TYPE), 0, WORD_TYPES.size() - 1));
    }

    static Comparison comparison(StatusPage page) {
        Comparison[] all = Comparison.values();
        return all[Math.clamp(page.get(StatusField.WAIT_COMPARISON), 0, all.length - 1)];
    }

    /// Returns for how long a PE has been waiting, in nanoseconds, or 0 if it does not wait.
    static long waitedNanos(StatusPage page) {
        return page.get(StatusField.WAIT_KIND) == OperationKind.NONE.ordinal()
                ? 0
                : System.nanoTime() - page.get(StatusField.WAIT_SINCE);
    }

    /// Returns "signal 9, KILL", or only the number for signals that have different numbers on different
    /// processors.
    static String signal(int number) {
        return "signal " + number + (number < SIGNALS.size() ? ", " + SIGNALS.get(number) : "");
    }

    /// Returns seconds with two decimals: "0.41 s".
    static String seconds(long nanos) {
        long hundredths = Math.max(0, nanos) / 10_000_000;
        return hundredths / 100 + "." + hundredths / 10 % 10 + hundredths % 10 + " s";
    }
}
