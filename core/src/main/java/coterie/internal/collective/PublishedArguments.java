// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.internal.posix.AddressSpace;
import coterie.internal.sync.AgreedArguments;
import coterie.internal.sync.ArgumentMismatch;
import coterie.internal.sync.ArgumentRecord;
import coterie.internal.sync.FlatRound;
import coterie.internal.sync.Membership;
import coterie.internal.sync.PeRanges;
import coterie.internal.sync.PublishedCalls;
import coterie.internal.wait.OperationKind;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// What each member has called for in [OnewayBroadcasts], where the others can read it: the number of its latest call,
/// and its [ArgumentRecord]. A member writes them before it tells anything of the call, so that each member that has
/// been told can see why they differ.
///
/// ```
///  byte 0                  48         56       64
///       │ argument record  │ checksum │ number │ has left │
/// ```
final class PublishedArguments implements PublishedCalls {
    private static final long CHECKSUM = ArgumentRecord.BYTES;

    /// The number of the call with its root, or 0 while its other arguments are being replaced.
    private static final long NUMBER = CHECKSUM + Long.BYTES;

    private static final int ROOT_BITS = 16;

    /// Whether the member has left.
    private static final long LEFT = NUMBER + Long.BYTES;

    private final Membership membership;
    private final FlatRound rounds;

    /// Where each member's are.
    private final long[] places;

    private final long mine;
    private final ArgumentRecord record;

    PublishedArguments(Membership membership, FlatRound rounds, long[] places) {
        this.membership = membership;
        this.rounds = rounds;
        this.places = places;
        this.mine = places[membership.me()];
        this.record = new ArgumentRecord(mine);
    }

    /// Writes mine.
    ///
    /// @param number of the call
    void write(long number, Call call) {
        if (record.differs(call.agreed.checksumWithoutRoot())) {
            rewrite(call);
        }
        AddressSpace.setLongRelease(mine + NUMBER, number << ROOT_BITS | call.root);
    }

    private void rewrite(Call call) {
        AddressSpace.setLongOpaque(mine + NUMBER, 0);
        VarHandle.storeStoreFence();
        record.write(call.agreed.checksumWithoutRoot(), call.agreed.values());
        AddressSpace.setLongOpaque(mine + CHECKSUM, call.agreed.checksumWithoutRoot());
    }

    @Override
    public void leave() {
        leave(mine);
    }

    /// Says that this member does not come any more, in a place that is not open here, but that others may have opened.
    static void leave(long place) {
        AddressSpace.setLongRelease(place + LEFT, 1);
    }

    @Override
    public boolean hasLeft(int member) {
        return AddressSpace.getLongAcquire(places[member] + LEFT) != 0;
    }

    @Override
    public String difference(int finder) {
        long number = AddressSpace.getLongAcquire(places[finder] + NUMBER) >> ROOT_BITS;
        @Nullable OperationKind[] kinds = new OperationKind[places.length];
        long @Nullable [][] arguments = new long[places.length][];
        long next = rounds.next();
        for (int member = 0; member < places.length; member++) {
            long latest = AddressSpace.getLongAcquire(places[member] + NUMBER);
            long[] its = AddressSpace.getLongsOpaque(places[member], ArgumentMismatch.CHECKSUM + 1);
            VarHandle.loadLoadFence();
            boolean hasGoneOn = latest != AddressSpace.getLongOpaque(places[member] + NUMBER);
            its[AgreedArguments.ROOT] = latest & (1 << ROOT_BITS) - 1;
            boolean hasCome = hasGoneOn || latest >> ROOT_BITS >= number;
            kinds[member] = hasCome ? OperationKind.BROADCAST : rounds.begun(member, next);
            arguments[member] = !hasGoneOn && latest >> ROOT_BITS == number ? its : null;
        }
        Map<OperationKind, List<Integer>> calls = PeRanges.byValue(membership, member -> kinds[member]);
        if (calls.size() > 1) {
            return PeRanges.calls(calls);
        }
        for (int word = 0; word <= ArgumentMismatch.CHECKSUM; word++) {
            int argument = word;
            Map<Long, List<Integer>> values = PeRanges.byValue(
                    membership, member -> arguments[member] == null ? null : arguments[member][argument]);
            if (values.size() > 1) {
                return ArgumentMismatch.disagreement(rounds, OperationKind.BROADCAST, word, values);
            }
        }
        return "members selected different algorithms for a broadcast: PEs "
                + IntStream.range(0, places.length)
                        .filter(member -> arguments[member] != null)
                        .map(membership::pe)
                        .boxed()
                        .toList()
                + " one-way, the others a synchronizing one; the settings tls and tune differ, or a size by which"
                + " they select" + rounds.differingSettings();
    }
}
