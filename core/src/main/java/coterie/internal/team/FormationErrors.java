// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import coterie.PeFailedException;
import coterie.TeamId;
import coterie.WaitTimeoutException;
import coterie.internal.team.SlotState.Phase;
import coterie.internal.wait.PeRuntime;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Makes the exceptions for participants that get no team.
final class FormationErrors {
    private final FormationSlot formationSlot;
    private final SlotId id;
    private final int me;
    private final int worldSize;
    private final PeRuntime runtime;

    FormationErrors(FormationSlot formationSlot, SlotId id, int me, int worldSize, PeRuntime runtime) {
        this.formationSlot = formationSlot;
        this.id = id;
        this.me = me;
        this.worldSize = worldSize;
        this.runtime = runtime;
    }

    /// Returns the begin of messages: operation, PE and team.
    String messagePrefix() {
        return "formTeam on PE " + me + ", team \"" + id.name() + "\": ";
    }

    /// Returns the exception for an id that is not the latest of its slot.
    RuntimeException unknownId() {
        SlotId latest = SlotId.of(new TeamId(formationSlot.load(FormationSlot.ID)));
        return latest.sharesSlot(id) && latest.isAfter(id)
                ? tooLate("formed or abandoned")
                : new IllegalArgumentException(messagePrefix() + notAnId(id.teamId()));
    }

    /// Returns the words for a number that is not an id.
    static String notAnId(TeamId id) {
        return "id " + id.value() + " is not an id that newTeamId has returned in this world";
    }

    /// Returns the exception for a participant that joins after the decision.
    ///
    /// @param state of the slot, as the participant found it
    RuntimeException tooLate(SlotState state) {
        if (state.serial() != id.serial()) {
            return tooLate("formed or abandoned");
        }
        RuntimeException why = tooLate(state.phase(), formationSlot.load(FormationSlot.REASON));
        return formationSlot.state().serial() == id.serial() ? why : tooLate("formed or abandoned");
    }

    private RuntimeException tooLate(Phase phase, long reason) {
        if (phase == Phase.FORMED) {
            return tooLate("formed");
        }
        String text = "abandoned: " + text(reason, null);
        return switch (FormationReason.of(reason)) {
            case SIZE, NUMBER ->
                new CollectiveMismatchException(messagePrefix() + "too late, the team has been " + text);
            case LOST -> lost(FormationReason.number(reason));
            case TIME, MEMORY, NONE -> tooLate(text);
        };
    }

    private IllegalStateException tooLate(String how) {
        return new IllegalStateException(
                messagePrefix() + "too late, the team has been " + how + "; an id is good for one team");
    }

    /// Returns the exception for a participant that joined while the others formed the team without it.
    IllegalStateException oneTooMany(int size, int member) {
        return new IllegalStateException(messagePrefix() + "too late, the team has been formed of " + size
                + " other PEs; its member " + member + " is PE "
                + FormationSlot.pe(formationSlot.load(FormationSlot.entry(member))));
    }

    /// Returns the exception for the failure of a PE that the team needs.
    PeFailedException lost(int pe) {
        TreeSet<Integer> failed = new TreeSet<>(List.of(pe));
        for (int other = 0; other < worldSize; other++) {
            if (runtime.hasTerminated(other)) {
                failed.add(other);
            }
        }
        return new PeFailedException(
                messagePrefix() + "the team can't be complete: PE " + pe + " " + runtime.terminationCause(pe) + "; "
                        + attendance(),
                List.copyOf(failed));
    }

    /// Returns the exception for a team that was abandoned.
    ///
    /// @param shortage the reason for this participant's lack of memory, or null
    RuntimeException reason(@Nullable String shortage) {
        long word = formationSlot.load(FormationSlot.REASON);
        String message = messagePrefix() + text(word, shortage);
        return switch (FormationReason.of(word)) {
            case SIZE, NUMBER -> new CollectiveMismatchException(message + "; no team is formed");
            case TIME -> new WaitTimeoutException(message + ": " + attendance());
            case LOST -> lost(FormationReason.number(word));
            case MEMORY -> new CoterieException(message + "; no team is formed");
            case NONE -> throw new AssertionError(message);
        };
    }

    private String text(long word, @Nullable String shortage) {
        int number = FormationReason.number(word);
        String pe = "PE " + FormationReason.pe(word);
        return switch (FormationReason.of(word)) {
            case SIZE -> {
                long first = formationSlot.load(FormationSlot.SIZE);
                yield pe + " passes size " + number + ", PE " + FormationSlot.pe(first >>> 32) + " has passed size "
                        + (int) first;
            }
            case NUMBER ->
                pe + " passes number " + number + ", which PE "
                        + FormationSlot.pe(formationSlot.load(FormationSlot.entry(number))) + " has passed before";
            case TIME -> "timed out on " + pe;
            case LOST -> "PE " + number + " has failed";
            case MEMORY ->
                pe + " has no memory for the team's synchronization"
                        + (shortage != null && FormationReason.pe(word) == me ? ": " + shortage : "");
            case NONE -> "the slot has no reason";
        };
    }

    /// Returns the members that have not joined, those that have, and the PEs that have terminated.
    private String attendance() {
        int size = (int) formationSlot.load(FormationSlot.SIZE);
        List<Integer> missing = new ArrayList<>();
        List<String> joined = new ArrayList<>();
        for (int member = 0; member < size; member++) {
            int pe = FormationSlot.pe(formationSlot.load(FormationSlot.entry(member)));
            if (pe < 0) {
                missing.add(member);
            } else {
                joined.add("PE " + pe + (joined.isEmpty() ? " joined as " : " as ") + member);
            }
        }
        List<String> failed = new ArrayList<>();
        for (int pe = 0; pe < worldSize; pe++) {
            if (runtime.hasTerminated(pe)) {
                failed.add("PE " + pe + " " + runtime.terminationCause(pe));
            }
        }
        return (missing.isEmpty()
                        ? "all members have joined"
                        : "members " + missing + " of " + size + " have not joined")
                + (joined.isEmpty() ? "" : "; " + String.join(", ", joined))
                + (failed.isEmpty() ? "" : "; " + String.join("; ", failed));
    }
}
