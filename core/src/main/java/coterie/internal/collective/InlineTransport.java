// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.collective.CollectiveType;
import coterie.internal.sync.FlatRound;
import coterie.internal.sync.Membership;

/// In the line of the round itself: for 48 bytes and less, one cache line from each member to each.
record InlineTransport(Membership membership, FlatRound rounds) implements EagerTransport {

    @Override
    public int mostBytes() {
        return FlatRound.MOST_BYTES;
    }

    @Override
    public boolean serves(Call call) {
        return call.length() <= FlatRound.MOST_BYTES && (!EagerTransport.isEach(call) || rounds.isDirect());
    }

    @Override
    public int send(Call call, long address, int bytes) {
        if (call.type == CollectiveType.BROADCAST && membership.me() != call.root) {
            return 1; // nothing to say
        }
        if (EagerTransport.isEach(call)) {
            rounds.sendBytesToEach(address, bytes);
        } else {
            rounds.sendBytes(address, bytes);
        }
        return FlatRound.words(bytes);
    }

    @Override
    public boolean hasAll() {
        return true;
    }

    @Override
    public long received(int member) {
        return rounds.receivedBytes(member);
    }
}
