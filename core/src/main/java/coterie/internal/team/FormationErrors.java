// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import coterie.PeFailedException;
import coterie.TeamId;
import coterie.WaitTimeoutException;
import coterie.internal.team.SlotState.Phase;
import coterie.internal.wait.WaitingRoom;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// What a participant is told that gets no team.
final class FormationErrors {
    private final FormationSlot formationSlot;
    private final SlotId id;
    private final int me;
    private final int worldSize;
    private final WaitingRoom room;

    FormationErrors(FormationSlot formationSlot, SlotId id, int me, int worldSize, WaitingRoom room) {
        this.formationSlot = formationSlot;
        this.id = id;
        this.me = me;
        this.worldSize = worldSize;
        this.room = room;
    }

    /// How messages begin.
    String messagePrefix() {
        return "formTeam on PE " + me + ", team \"" + id.name() + "\": ";
    }

    /// The id is not the latest of its slot.
    RuntimeException unknownId() {
        SlotId latest = SlotId.of(new TeamId(formationSlot.load(FormationSlot.ID)));
        return latest.sharesSlot(id) && latest.isAfter(id)
                ? new IllegalStateException(messagePrefix() + "too late, it has been formed or given up")
                : new IllegalArgumentException(messagePrefix() + "id "
                        + id.teamId().value() + " is none that a PE has given out in this world");
    }

    /// The team is decided.
    ///
    /// @param state of the slot, as I found it
    IllegalStateException tooLate(SlotState state) {
        String how = "formed or given up";
        if (state.serial() == id.serial()) {
            String reason = state.phase() == Phase.FORMED
                    ? "formed"
                    : "given up: " + text(formationSlot.load(FormationSlot.REASON), null);
            how = formationSlot.state().serial() == id.serial() ? reason : how;
        }
        return new IllegalStateException(messagePrefix() + "too late, it has been " + how);
    }

    /// The team was formed while I was on my way.
    IllegalStateException oneTooMany(int size, int member) {
        return new IllegalStateException(
                messagePrefix() + "one too many, it has been formed of " + size + " others; number " + member
                        + " in it is PE " + FormationSlot.pe(formationSlot.load(FormationSlot.entry(member))));
    }

    /// The PE has failed, and is needed.
    PeFailedException lost(int pe) {
        TreeSet<Integer> failed = new TreeSet<>(List.of(pe));
        for (int other = 0; other < worldSize; other++) {
            if (room.hasTerminated(other)) {
                failed.add(other);
            }
        }
        return new PeFailedException(
                messagePrefix() + "it can't be complete: PE " + pe + " " + room.terminationCause(pe) + attendance(),
                List.copyOf(failed));
    }

    /// Why the team was given up.
    ///
    /// @param shortage what memory I lack, or null
    RuntimeException reason(@Nullable String shortage) {
        long word = formationSlot.load(FormationSlot.REASON);
        String message = messagePrefix() + text(word, shortage);
        return switch (FormationReason.of(word)) {
            case SIZE, NUMBER -> new CollectiveMismatchException(message + "; no team is formed");
            case TIME -> new WaitTimeoutException(message + attendance());
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
                yield pe + " brings size " + number + ", PE " + FormationSlot.pe(first >>> 32) + " has brought "
                        + (int) first;
            }
            case NUMBER ->
                pe + " brings number " + number + ", which PE "
                        + FormationSlot.pe(formationSlot.load(FormationSlot.entry(number))) + " has brought";
            case TIME -> "the time of " + pe + " is over";
            case LOST -> "PE " + number + " has failed";
            case MEMORY ->
                pe + " has no memory for its lines"
                        + (shortage != null && FormationReason.pe(word) == me ? ": " + shortage : "");
            case NONE -> "for no reason";
        };
    }

    /// Who has come, who has not, and who can't.
    private String attendance() {
        int size = (int) formationSlot.load(FormationSlot.SIZE);
        List<Integer> missing = new ArrayList<>();
        List<String> here = new ArrayList<>();
        for (int member = 0; member < size; member++) {
            int pe = FormationSlot.pe(formationSlot.load(FormationSlot.entry(member)));
            if (pe < 0) {
                missing.add(member);
            } else {
                here.add("PE " + pe + " as " + member);
            }
        }
        List<String> failed = new ArrayList<>();
        for (int pe = 0; pe < worldSize; pe++) {
            if (room.hasTerminated(pe)) {
                failed.add("PE " + pe + " " + room.terminationCause(pe));
            }
        }
        return "; of " + size + " numbers " + missing + " are missing; " + String.join(", ", here) + " came"
                + (failed.isEmpty() ? "" : "; " + String.join("; ", failed));
    }
}
