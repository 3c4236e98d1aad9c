// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.internal.posix.AddressSpace;
import coterie.internal.sync.ArgumentMismatch;
import coterie.internal.sync.FlatRound;
import coterie.internal.sync.Membership;
import coterie.internal.sync.PeRanges;
import coterie.internal.sync.PublishedCalls;
import coterie.internal.wait.OperationKind;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What each member has called for in [OnewayBroadcasts], where the others can read it: the number of its latest
/// call, and its arguments. A member writes them before it tells anything of the call, so that each member that has
/// been told can see why they differ.
final class PublishedArguments implements PublishedCalls {
    private static final int ROOT_BITS = 16;

    /// Where a paper says that its member has left.
    private static final long LEFT = 64;

    private final Membership membership;
    private final FlatRound meeting;

    /// Per member: where its paper is.
    private final long[] papers;

    private final long mine;

    /// What is on mine but for the root.
    private final long[] written = new long[CollectiveArgs.ROOT];

    PublishedArguments(Membership membership, FlatRound meeting, long[] papers) {
        this.membership = membership;
        this.meeting = meeting;
        this.papers = papers;
        this.mine = papers[membership.me()];
    }

    /// Writes mine.
    ///
    /// @param number of the call
    void write(long number, CollectiveArgs args) {
        boolean isSame = true;
        for (int word = 0; word < CollectiveArgs.ROOT; word++) {
            isSame &= written[word] == args.argument(word);
        }
        if (!isSame) {
            rewrite(args);
        }
        AddressSpace.setLongRelease(mine, number << ROOT_BITS | args.root);
    }

    @Override
    public void leave() {
        leave(mine);
    }

    /// Says that this member does not come any more, on a paper that is not open here, but that others may have opened.
    static void leave(long paper) {
        AddressSpace.setLongRelease(paper + LEFT, 1);
    }

    @Override
    public boolean hasLeft(int member) {
        return AddressSpace.getLongAcquire(papers[member] + LEFT) != 0;
    }

    private void rewrite(CollectiveArgs args) {
        AddressSpace.setLongOpaque(mine, 0);
        VarHandle.storeStoreFence();
        for (int word = 0; word < CollectiveArgs.ROOT; word++) {
            written[word] = args.argument(word);
            AddressSpace.setLongOpaque(mine + (1L + word) * Long.BYTES, written[word]);
        }
    }

    @Override
    public String difference(int finder) {
        long number = AddressSpace.getLongAcquire(papers[finder]) >> ROOT_BITS;
        Map<Integer, OperationKind> kinds = new TreeMap<>();
        Map<Integer, long[]> arguments = new TreeMap<>();
        long next = meeting.next();
        for (int member = 0; member < papers.length; member++) {
            long[] paper = read(member);
            OperationKind beyond = meeting.begun(member, next);
            if (paper[0] >= number) {
                kinds.put(member, OperationKind.BROADCAST);
                if (paper[0] == number) {
                    arguments.put(member, paper);
                }
            } else if (beyond != null) {
                kinds.put(member, beyond);
            }
        }
        if (kinds.values().stream().distinct().count() > 1) {
            Map<OperationKind, List<Integer>> calls = new LinkedHashMap<>();
            kinds.forEach((member, kind) ->
                    calls.computeIfAbsent(kind, each -> new ArrayList<>()).add(membership.pe(member)));
            return "members call different collectives: " + PeRanges.calls(calls);
        }
        for (int word = 0; word <= CollectiveArgs.ROOT; word++) {
            int index = 1 + word;
            if (arguments.values().stream()
                            .mapToLong(paper -> paper[index])
                            .distinct()
                            .count()
                    > 1) {
                Map<Long, List<Integer>> values = new LinkedHashMap<>();
                arguments.forEach((member, paper) -> values.computeIfAbsent(paper[index], value -> new ArrayList<>())
                        .add(membership.pe(member)));
                return ArgumentMismatch.disagreement(meeting, OperationKind.BROADCAST, word, values);
            }
        }
        return "members selected different algorithms for a broadcast: PEs "
                + arguments.keySet().stream().map(membership::pe).toList()
                + " one-way, the others a synchronising one; the settings tls and tune differ, or a size by which"
                + " they select" + meeting.differingSettings();
    }

    /// The number, and the arguments behind it.
    private long[] read(int member) {
        long[] paper = new long[2 + CollectiveArgs.ROOT];
        long at = papers[member];
        long begin = AddressSpace.getLongAcquire(at);
        for (int word = 0; word < CollectiveArgs.ROOT; word++) {
            paper[1 + word] = AddressSpace.getLongOpaque(at + (1L + word) * Long.BYTES);
        }
        VarHandle.loadLoadFence();
        boolean isSame = begin == AddressSpace.getLongOpaque(at);
        paper[0] = isSame ? begin >> ROOT_BITS : Long.MAX_VALUE; // else it has gone on
        paper[1 + CollectiveArgs.ROOT] = begin & (1 << ROOT_BITS) - 1;
        return paper;
    }
}
