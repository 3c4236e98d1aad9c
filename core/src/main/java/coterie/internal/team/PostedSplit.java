// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import coterie.Team;
import coterie.TeamRequest;
import coterie.internal.p2p.ExternalTask;
import coterie.internal.p2p.WordExchange;
import coterie.internal.schedule.Task;
import coterie.internal.schedule.TaskEvent;
import coterie.internal.schedule.TaskListener;
import coterie.internal.sync.Agreement;
import coterie.internal.wait.WaitingRoom;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A split that goes on while the program does something else: one of the team's requests.
///
/// ```
///  barrier      all members have posted it
///    ▼
///  words        each member gets those of all; splits take turns
///    ▼
///  barrier      all members have the words of all
///    ▼
///  new teams    each member concludes alone
/// ```
///
/// If a member fails during the second barrier, some members complete it and others don't. The latter have the words
/// of all, too: they revoke their new teams, so that no member waits for them there.
final class PostedSplit<T> implements TeamRequest<T>, ExternalTask, TaskListener {
    private final TeamSplits splits;
    private final Split split;
    private final long turn;
    private final Function<List<Team>, T> result;
    private final long[] mine;

    /// Set before anybody else has the request.
    private @Nullable Task task;

    /// Set while this member's words are under way.
    private @Nullable WordExchange round;

    /// The words of all members, once this one has them.
    private long @Nullable [] all;

    private long verdict;

    /// Set before the task is over.
    private List<Split.@Nullable Child> children = List.of();

    /// Made when the program first asks for it.
    private @Nullable T made;

    /// @param turn of the split among those of the team that are posted
    PostedSplit(TeamSplits splits, Split split, long turn, Function<List<Team>, T> result) {
        this.splits = splits;
        this.split = split;
        this.turn = turn;
        this.result = result;
        this.mine = split.propose();
    }

    void runs(Task posted) {
        task = posted;
    }

    private Task task() {
        return Objects.requireNonNull(task, "task");
    }

    @Override
    public void begin(long number) {
        // its round begins when it is its turn
    }

    @Override
    public boolean progress() {
        if (round == null) {
            round = splits.begin(split.rule().kind(), turn, mine);
        }
        if (round == null || !round.advance()) {
            return false;
        }
        int size = splits.membership().size();
        long[] words = new long[size * Split.WORDS];
        for (int each = 0; each < words.length; each++) {
            words[each] = round.received(each / Split.WORDS, each % Split.WORDS);
        }
        all = words;
        splits.end(turn);
        return true;
    }

    private long word(int member, int word) {
        return Objects.requireNonNull(all, "words")[member * Split.WORDS + word];
    }

    @Override
    public int awaitedPe() {
        WordExchange under = round;
        return under == null ? -1 : under.awaitedPe();
    }

    @Override
    public void stop(RuntimeException why) {
        // see failed
    }

    @Override
    public void failed(RuntimeException why) {
        splits.revoke(conclude());
    }

    @Override
    public void close() {
        // has nothing to release
    }

    @Override
    public void onEvent(Task run, TaskEvent event) {
        children = conclude();
    }

    /// Returns the caller's new teams; none if the split makes none for any member.
    private List<Split.@Nullable Child> conclude() {
        verdict = all == null ? Split.UNKNOWN : split.conclude(this::word);
        if (Agreement.code(verdict) != Split.GRANTED) {
            split.release();
            return List.of();
        }
        return split.children(this::word);
    }

    @Override
    public boolean test() {
        splits.checkThread("test");
        boolean isOver = task().test();
        if (isOver) {
            check();
        }
        return isOver;
    }

    @Override
    public T await() {
        return await(WaitingRoom.FOREVER);
    }

    @Override
    public T await(Duration timeout) {
        Objects.requireNonNull(
                timeout,
                () -> splits.membership().messagePrefix(split.rule().kind().label()) + "timeout is null");
        return await(WaitingRoom.timeoutNanos(
                split.rule().kind().label(), splits.membership().myPe(), timeout));
    }

    private T await(long nanos) {
        splits.checkThread("await");
        task().await(nanos);
        return check();
    }

    private T check() {
        RuntimeException failure = task().failure();
        if (failure != null) {
            throw failure;
        }
        if (Agreement.code(verdict) != Split.GRANTED) {
            throw split.refusal(verdict, task().sequence(), this::word);
        }
        T known = made;
        if (known == null) {
            known = result.apply(splits.teams(children));
            made = known;
        }
        return known;
    }

    @Override
    public String toString() {
        return task().toString();
    }
}
