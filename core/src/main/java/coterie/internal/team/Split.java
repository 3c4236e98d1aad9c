// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import coterie.TeamConfig;
import coterie.internal.sync.Agreement;
import coterie.internal.sync.SyncLines;
import coterie.internal.sync.SyncRound;
import coterie.internal.sync.TeamMap;
import coterie.internal.sync.TeamSync;
import coterie.internal.wait.OperationKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The round in which the members of a team split it, by any rule:
///
/// ```
///  check                   the caller's arguments
///    │ allocate lines       for each new team that will have the caller
///    ▼
///  round: answer, arguments, configs, offsets of the caller's lines
///    ▼ the arguments agree, and all members have lines
///  new teams               each member computes their members by itself
/// ```
///
/// A split fails on all members or on none. If it fails, the members release their lines, and nothing has changed.
final class Split {
    /// Words of the round.
    private static final int ANSWER = 0;

    private static final int ARGUMENT = 1;
    private static final int CONFIGS = 4;
    private static final int OFFSET = 5;
    private static final int WORDS = 7;

    /// Answers of a member; also codes of verdicts.
    private static final int GRANTED = 0;

    private static final int INVALID = 1;
    private static final int NO_MEMORY = 2;

    /// Codes of verdicts only.
    private static final int DIFFERENT = 3;

    private static final int CONFIGS_DIFFER = 4;

    /// The word for a config that is null.
    private static final long NO_CONFIG = -1;

    private final TeamSync parent;
    private final SplitRule rule;
    private final SyncArea area;
    private final Agreement agreement;
    private final List<TeamConfig> configs;
    private final int axes;

    /// Per axis: the number of members for which the caller has allocated lines, and the offset of these.
    private final int[] lines;

    private final long[] offsets;

    /// The reason for a lack of memory for lines, or null.
    private @Nullable String shortage;

    /// A team that the round has made.
    ///
    /// @param members their numbers in the parent
    /// @param lines of the new team
    record Child(String name, TeamMap members, SyncLines lines, TeamConfig config) {}

    /// @param configs one for each axis
    Split(TeamSync parent, SplitRule rule, SyncArea area, List<TeamConfig> configs) {
        this.parent = parent;
        this.rule = rule;
        this.area = area;
        this.agreement = new Agreement(parent);
        this.configs = configs;
        this.axes = configs.size();
        this.lines = new int[axes];
        this.offsets = new long[axes];
    }

    /// Does the round, and returns the caller's new team on each axis, or null where the caller is in none.
    ///
    /// @throws RuntimeException on all members, if the split makes no teams
    List<@Nullable Child> agree() {
        OperationKind kind = rule.kind();
        parent.begin(kind);
        boolean granted = false;
        try {
            propose(prepare());
            long verdict = agreement.reach(kind, WORDS, this::conclude);
            if (Agreement.code(verdict) != GRANTED) {
                throw refused(verdict);
            }
            granted = true;
            List<@Nullable Child> children = new ArrayList<>();
            for (int axis = 0; axis < axes; axis++) {
                children.add(child(axis));
            }
            return children;
        } finally {
            parent.leave();
            if (!granted) {
                release();
            }
        }
    }

    private int prepare() {
        if (configs.contains(null) || !rule.isValid()) {
            return INVALID;
        }
        try {
            for (int axis = 0; axis < axes; axis++) {
                int max = rule.maxMembers(axis);
                if (max > 0) {
                    offsets[axis] = area.allocate(SyncLines.count(max));
                    lines[axis] = max;
                }
            }
            return GRANTED;
        } catch (SyncMemoryException e) {
            shortage = e.getMessage();
            return NO_MEMORY;
        }
    }

    private void propose(int answer) {
        SyncRound round = parent.syncRound();
        round.send(ANSWER, answer);
        for (int argument = 0; argument < CONFIGS - ARGUMENT; argument++) {
            round.send(ARGUMENT + argument, rule.argument(argument));
        }
        long word = 0;
        for (int axis = 0; axis < axes; axis++) {
            TeamConfig config = configs.get(axis);
            word |= config == null ? NO_CONFIG : (long) config.contexts() << (32 * axis);
            round.send(OFFSET + axis, offsets[axis]);
        }
        round.send(CONFIGS, word);
    }

    private long conclude(SyncRound round) {
        int invalid = agreement.firstWith(ANSWER, INVALID);
        if (invalid >= 0) {
            return Agreement.verdict(INVALID, invalid);
        }
        for (int argument = 0; argument < rule.agreedArguments(); argument++) {
            int different = agreement.firstDifferent(ARGUMENT + argument);
            if (different >= 0) {
                return Agreement.verdict(DIFFERENT, different);
            }
        }
        int misfit = firstMisfit();
        if (misfit >= 0) {
            return Agreement.verdict(CONFIGS_DIFFER, misfit);
        }
        int without = agreement.firstWith(ANSWER, NO_MEMORY);
        return without >= 0 ? Agreement.verdict(NO_MEMORY, without) : Agreement.verdict(GRANTED, 0);
    }

    /// Returns the first member whose config differs from that of a lower member of the same new team, or −1.
    private int firstMisfit() {
        if (agreement.firstDifferent(CONFIGS) < 0) {
            return -1;
        }
        Map<List<Long>, Long> known = new HashMap<>();
        for (int member = 0; member < parent.membership().size(); member++) {
            for (int axis = 0; axis < axes; axis++) {
                long group = group(axis, member);
                Long before = group < 0 ? null : known.putIfAbsent(List.of((long) axis, group), config(axis, member));
                if (before != null && before != config(axis, member)) {
                    return member;
                }
            }
        }
        return -1;
    }

    private long group(int axis, int member) {
        return rule.group(axis, member, received(member, ARGUMENT));
    }

    private long config(int axis, int member) {
        return received(member, CONFIGS) >> (32 * axis) & 0xFFFF_FFFFL;
    }

    private long received(int member, int word) {
        return parent.syncRound().received(member, word);
    }

    private @Nullable Child child(int axis) {
        if (lines[axis] == 0) {
            return null;
        }
        TeamMap members = rule.members(axis, this::argument);
        if (members.size() < lines[axis]) {
            area.shorten(offsets[axis], SyncLines.count(lines[axis]), SyncLines.count(members.size()));
        }
        long[] places = new long[members.size()];
        for (int member = 0; member < places.length; member++) {
            places[member] = received(members.pe(member), OFFSET + axis);
        }
        return new Child(rule.name(axis), members, SyncLines.at(places), configs.get(axis));
    }

    private long argument(int member, int argument) {
        return received(member, ARGUMENT + argument);
    }

    private RuntimeException refused(long verdict) {
        int member = Agreement.member(verdict);
        int pe = parent.membership().pe(member);
        String mine = member == parent.membership().me() && shortage != null ? ": " + shortage : "";
        String prefix = parent.membership().messagePrefix(rule.kind().label());
        String none = "; no team is made";
        return switch (Agreement.code(verdict)) {
            case INVALID ->
                new IllegalArgumentException(
                        received(member, CONFIGS) == NO_CONFIG
                                ? prefix + "a config of PE " + pe + " is null" + none
                                : prefix + "PE " + pe + " passes " + rule.text(member, this::argument)
                                        + "; allowed are " + rule.allowed() + none);
            case DIFFERENT -> new CollectiveMismatchException(disagreement() + none);
            case CONFIGS_DIFFER ->
                new CollectiveMismatchException(prefix + "the config of PE " + pe + ", " + configs(member)
                        + ", differs from that of a lower member of its new team" + none);
            default -> new CoterieException(prefix + "PE " + pe + " has no memory for its new teams" + mine + none);
        };
    }

    private String disagreement() {
        int argument = 0;
        while (argument < rule.agreedArguments() - 1 && agreement.firstDifferent(ARGUMENT + argument) < 0) {
            argument++;
        }
        return agreement.disagreement(rule.kind(), ARGUMENT + argument);
    }

    private String configs(int member) {
        List<String> texts = new ArrayList<>();
        for (int axis = 0; axis < axes; axis++) {
            texts.add(config(axis, member) + " contexts");
        }
        return String.join(" and ", texts);
    }

    private void release() {
        for (int axis = 0; axis < axes; axis++) {
            if (lines[axis] > 0) {
                area.release(offsets[axis], SyncLines.count(lines[axis]));
            }
        }
    }
}
