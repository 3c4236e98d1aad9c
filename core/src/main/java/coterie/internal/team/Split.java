// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import coterie.TeamConfig;
import coterie.internal.sync.Agreement;
import coterie.internal.sync.ArgumentMismatch;
import coterie.internal.sync.Membership;
import coterie.internal.sync.PeRanges;
import coterie.internal.sync.SyncLines;
import coterie.internal.sync.TeamMap;
import coterie.internal.sync.TeamSync;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What the members of a team tell each other to split it, by any rule, and what follows:
///
/// ```
///  propose                 the caller's arguments, checked
///    │ allocate lines       for each new team that will have the caller
///    ▼
///  words of all members: answer, arguments, configs, offsets of the member's lines
///    ▼ conclude            the arguments agree, and all members have lines
///  new teams               each member computes their members by itself
/// ```
///
/// A split fails on all members or on none. If it fails, the members release their lines, and nothing has changed.
final class Split {
    /// Words of a member.
    static final int WORDS = 7;

    private static final int ANSWER = 0;
    private static final int ARGUMENT = 1;
    private static final int CONFIGS = 4;
    private static final int OFFSET = 5;

    /// Answers of a member; also codes of verdicts.
    static final int GRANTED = 0;

    private static final int INVALID = 1;
    static final int NO_MEMORY = 2;

    /// Codes of verdicts only.
    private static final int DIFFERENT = 3;

    private static final int CONFIGS_DIFFER = 4;

    /// Of a member without the words of all.
    static final int UNKNOWN = 5;

    /// The word for a config that is null.
    private static final long NO_CONFIG = -1;

    private final TeamSync parent;
    private final Membership membership;
    private final SplitRule rule;
    private final SyncArea area;
    private final List<TeamConfig> configs;
    private final int axes;

    /// Per axis: the number of members for which the caller has allocated lines, and the offset of these.
    private final int[] lines;

    private final long[] offsets;

    /// The reason for a lack of memory for lines, or null.
    private @Nullable String shortage;

    /// A team that the split has made.
    ///
    /// @param members their numbers in the parent
    /// @param lines of the new team
    record Child(String name, TeamMap members, SyncLines lines, TeamConfig config) {}

    /// The words of all members.
    @FunctionalInterface
    interface Words {
        long of(int member, int word);
    }

    /// @param configs one for each axis
    Split(TeamSync parent, SplitRule rule, SyncArea area, List<TeamConfig> configs) {
        this.parent = parent;
        this.membership = parent.membership();
        this.rule = rule;
        this.area = area;
        this.configs = configs;
        this.axes = configs.size();
        this.lines = new int[axes];
        this.offsets = new long[axes];
    }

    SplitRule rule() {
        return rule;
    }

    /// Takes the lines, and returns what this member tells the others.
    long[] propose() {
        shortage = null;
        long[] words = new long[WORDS];
        words[ANSWER] = prepare();
        for (int argument = 0; argument < CONFIGS - ARGUMENT; argument++) {
            words[ARGUMENT + argument] = rule.argument(argument);
        }
        for (int axis = 0; axis < axes; axis++) {
            TeamConfig config = configs.get(axis);
            words[CONFIGS] |= config == null ? NO_CONFIG : (long) config.contexts() << (32 * axis);
            words[OFFSET + axis] = offsets[axis];
        }
        return words;
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

    /// Returns the verdict, to which all members come that have the same words; see [Agreement#verdict].
    long conclude(Words words) {
        int invalid = firstWith(words, INVALID);
        if (invalid >= 0) {
            return Agreement.verdict(INVALID, invalid);
        }
        for (int argument = 0; argument < rule.agreedArguments(); argument++) {
            int different = firstDifferent(words, ARGUMENT + argument);
            if (different >= 0) {
                return Agreement.verdict(DIFFERENT, different);
            }
        }
        int misfit = firstMisfit(words);
        if (misfit >= 0) {
            return Agreement.verdict(CONFIGS_DIFFER, misfit);
        }
        int without = firstWith(words, NO_MEMORY);
        return without >= 0 ? Agreement.verdict(NO_MEMORY, without) : Agreement.verdict(GRANTED, 0);
    }

    /// Returns the first member with an answer, or −1.
    private int firstWith(Words words, int answer) {
        int member = 0;
        while (member < membership.size() && words.of(member, ANSWER) != answer) {
            member++;
        }
        return member < membership.size() ? member : -1;
    }

    /// Returns the first member whose word differs from member 0's, or −1.
    private int firstDifferent(Words words, int word) {
        int member = 1;
        while (member < membership.size() && words.of(member, word) == words.of(0, word)) {
            member++;
        }
        return member < membership.size() ? member : -1;
    }

    /// Returns the first member whose config differs from that of a lower member of the same new team, or −1.
    private int firstMisfit(Words words) {
        if (firstDifferent(words, CONFIGS) < 0) {
            return -1;
        }
        Map<List<Long>, Long> known = new HashMap<>();
        for (int member = 0; member < membership.size(); member++) {
            for (int axis = 0; axis < axes; axis++) {
                long group = rule.group(axis, member, words.of(member, ARGUMENT));
                long config = config(words, axis, member);
                Long before = group < 0 ? null : known.putIfAbsent(List.of((long) axis, group), config);
                if (before != null && before != config) {
                    return member;
                }
            }
        }
        return -1;
    }

    private static long config(Words words, int axis, int member) {
        return words.of(member, CONFIGS) >> (32 * axis) & 0xFFFF_FFFFL;
    }

    /// Returns the caller's new team on each axis, or null where the caller is in none, after the verdict
    /// [#GRANTED].
    List<@Nullable Child> children(Words words) {
        List<@Nullable Child> children = new ArrayList<>();
        for (int axis = 0; axis < axes; axis++) {
            children.add(child(words, axis));
        }
        return children;
    }

    private @Nullable Child child(Words words, int axis) {
        if (lines[axis] == 0) {
            return null;
        }
        TeamMap members = rule.members(axis, arguments(words));
        if (members.size() < lines[axis]) {
            area.shorten(offsets[axis], SyncLines.count(lines[axis]), SyncLines.count(members.size()));
        }
        long[] places = new long[members.size()];
        for (int member = 0; member < places.length; member++) {
            places[member] = words.of(members.pe(member), OFFSET + axis);
        }
        return new Child(rule.name(axis), members, SyncLines.at(places), configs.get(axis));
    }

    private static SplitRule.Arguments arguments(Words words) {
        return (member, argument) -> words.of(member, ARGUMENT + argument);
    }

    /// Returns what all members throw after another verdict than [#GRANTED].
    ///
    /// @param number of the round or the request, for the message
    RuntimeException refusal(long verdict, long number, Words words) {
        int member = Agreement.member(verdict);
        int pe = membership.pe(member);
        String mine = member == membership.me() && shortage != null ? ": " + shortage : "";
        String prefix = membership.messagePrefix(rule.kind().label());
        String none = "; no team is made";
        return switch (Agreement.code(verdict)) {
            case INVALID ->
                new IllegalArgumentException(
                        words.of(member, CONFIGS) == NO_CONFIG
                                ? prefix + "a config of PE " + pe + " is null" + none
                                : prefix + "PE " + pe + " passes " + rule.text(member, arguments(words))
                                        + "; allowed are " + rule.allowed() + none);
            case DIFFERENT -> new CollectiveMismatchException(disagreement(number, words) + none);
            case CONFIGS_DIFFER ->
                new CollectiveMismatchException(prefix + "the config of PE " + pe + ", " + configs(words, member)
                        + ", differs from that of a lower member of its new team" + none);
            default -> new CoterieException(prefix + "PE " + pe + " has no memory for its new teams" + mine + none);
        };
    }

    private String disagreement(long number, Words words) {
        int argument = 0;
        while (argument < rule.agreedArguments() - 1 && firstDifferent(words, ARGUMENT + argument) < 0) {
            argument++;
        }
        int differing = ARGUMENT + argument;
        Map<Long, List<Integer>> values = PeRanges.byValue(membership, member -> words.of(member, differing));
        return membership.messagePrefix(rule.kind().label() + " #" + number)
                + ArgumentMismatch.disagreement(parent.syncRound(), rule.kind(), differing, values);
    }

    private String configs(Words words, int member) {
        List<String> texts = new ArrayList<>();
        for (int axis = 0; axis < axes; axis++) {
            texts.add(config(words, axis, member) + " contexts");
        }
        return String.join(" and ", texts);
    }

    /// Releases the lines, of which no other member knows, or which none will use.
    void release() {
        for (int axis = 0; axis < axes; axis++) {
            if (lines[axis] > 0) {
                area.release(offsets[axis], SyncLines.count(lines[axis]));
                lines[axis] = 0;
            }
        }
    }
}
