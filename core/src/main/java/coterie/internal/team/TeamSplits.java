// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import coterie.Team;
import coterie.TeamConfig;
import coterie.TeamRequest;
import coterie.internal.p2p.WordExchange;
import coterie.internal.request.Requests;
import coterie.internal.sync.Agreement;
import coterie.internal.sync.CallGate;
import coterie.internal.sync.Membership;
import coterie.internal.sync.SyncRound;
import coterie.internal.sync.TeamMap;
import coterie.internal.sync.TeamSync;
import coterie.internal.wait.OperationKind;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The splits of a team: in a round in which the members wait for each other, or as a request that they post.
final class TeamSplits {
    private final Teams teams;
    private final TeamSync teamSync;
    private final Membership membership;
    private final Requests requests;

    /// Duplicates that members have waited for, and those that they have posted: all members count the same.
    private int duplicates;

    private int postedDuplicates;

    /// Made when it is first needed.
    private @Nullable WordExchange exchange;

    /// Splits that have been posted, and those whose words all members have.
    private long posted;

    private volatile long exchanged;

    TeamSplits(Teams teams, TeamSync teamSync, Requests requests) {
        this.teams = teams;
        this.teamSync = teamSync;
        this.membership = teamSync.membership();
        this.requests = requests;
    }

    SplitRule strided(int start, int stride, int size) {
        return new SplitRule.Strided(membership.size(), membership.me(), start, stride, size);
    }

    SplitRule grid(int xSize) {
        return new SplitRule.Grid(membership.size(), membership.me(), xSize);
    }

    SplitRule byColor(int color, int key) {
        return new SplitRule.ByColor(membership.size(), membership.me(), color, key);
    }

    Team duplicate(TeamConfig config) {
        Team copy = make(new SplitRule.Duplicate(membership.size(), "copy", duplicates + 1), config);
        duplicates++;
        return copy;
    }

    TeamRequest<Team> postDuplicate(TeamConfig config) {
        return post(new SplitRule.Duplicate(membership.size(), "posted copy", ++postedDuplicates), config);
    }

    /// Makes a team; waits for all members.
    Team make(SplitRule rule, TeamConfig config) {
        return make(rule, Arrays.asList(config)).getFirst();
    }

    /// Makes a team on each axis; waits for all members.
    ///
    /// @throws RuntimeException on all members, if the split makes no teams
    List<Team> make(SplitRule rule, List<TeamConfig> configs) {
        OperationKind kind = rule.kind();
        SyncRound round = teamSync.syncRound();
        Split split = new Split(teamSync, rule, teams.area(), configs);
        List<Split.@Nullable Child> children = null;
        try (CallGate.Passage _ = teamSync.gate().enter(kind)) {
            long verdict = propose(kind, round, split);
            if (Agreement.code(verdict) == Split.NO_MEMORY) {
                split.release(); // all have met: what they had closed before can be released now
                verdict = propose(kind, round, split);
            }
            if (Agreement.code(verdict) != Split.GRANTED) {
                throw split.refusal(verdict, round.sequence(), round::received);
            }
            children = split.children(round::received);
        } finally {
            if (children == null) {
                split.release();
            }
        }
        return teams(children);
    }

    private long propose(OperationKind kind, SyncRound round, Split split) {
        teams.closedTeams().release();
        long[] words = split.propose();
        for (int word = 0; word < Split.WORDS; word++) {
            round.send(word, words[word]);
        }
        return new Agreement(teamSync).reach(kind, Split.WORDS, _ -> split.conclude(round::received));
    }

    /// Makes a team as a request.
    TeamRequest<Team> post(SplitRule rule, TeamConfig config) {
        return post(rule, Arrays.asList(config), List::getFirst);
    }

    /// Makes a team on each axis as a request.
    ///
    /// @param result of the teams
    synchronized <T> TeamRequest<T> post(SplitRule rule, List<TeamConfig> configs, Function<List<Team>, T> result) {
        teams.closedTeams().release();
        Split split = new Split(teamSync, rule, teams.area(), configs);
        PostedSplit<T> request = new PostedSplit<>(this, split, posted, result);
        boolean isPosted = false;
        try {
            request.runs(requests.post(rule.kind(), request, request));
            posted++;
            isPosted = true;
        } finally {
            if (!isPosted) {
                split.release();
            }
        }
        return request;
    }

    Membership membership() {
        return membership;
    }

    /// Checks the caller and an argument of a split that is posted.
    TeamConfig given(String operation, String name, @Nullable TeamConfig argument) {
        teamSync.checkUsable(operation);
        if (argument == null) {
            throw new NullPointerException(membership.messagePrefix(operation) + name + " is null");
        }
        return argument;
    }

    /// Refuses a thread that may not use the team at all.
    void checkThread(String operation) {
        teamSync.gate().checkThread(operation);
    }

    /// Begins the round of a split, unless it is not its turn yet.
    ///
    /// @param turn of the split among those that are posted
    /// @return the round, or null
    @Nullable
    WordExchange begin(OperationKind kind, long turn, long[] words) {
        if (exchanged != turn) {
            return null;
        }
        WordExchange rounds = exchange;
        if (rounds == null) {
            rounds = requests.splitExchange(kind);
            exchange = rounds;
        }
        rounds.begin(words);
        return rounds;
    }

    /// Lets the next split begin its round: the words of this one have been read.
    void end(long turn) {
        exchanged = turn + 1;
    }

    /// Revokes new teams that a failure keeps from this member: others may have got them, and would wait for it.
    void revoke(List<Split.@Nullable Child> children) {
        for (Split.Child child : children) {
            if (child != null) {
                teams.teamSync(name(child), members(child), member(child), child.lines())
                        .revoke();
            }
        }
    }

    /// Makes the handles of the caller's new teams.
    List<Team> teams(List<Split.@Nullable Child> children) {
        return children.stream().map(this::team).toList();
    }

    private Team team(Split.@Nullable Child child) {
        return child == null
                ? Team.INVALID
                : teams.make(name(child), members(child), member(child), child.lines(), child.config());
    }

    private String name(Split.Child child) {
        return membership.name() + "/" + child.name();
    }

    private TeamMap members(Split.Child child) {
        return membership.map().compose(child.members());
    }

    private int member(Split.Child child) {
        return child.members().member(membership.me());
    }
}
