// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

/// In the line of the round itself: for 48 bytes and less, one cache line from each member to each.
final class LineCarrier implements Carrier {
    private final Membership membership;
    private final FlatRound meeting;

    LineCarrier(Membership membership, FlatRound meeting) {
        this.membership = membership;
        this.meeting = meeting;
    }

    @Override
    public int mostBytes() {
        return FlatRound.MOST_BYTES;
    }

    @Override
    public boolean serves(Call call) {
        return call.length() <= FlatRound.MOST_BYTES && (!Carrier.isEach(call) || meeting.isDirect());
    }

    @Override
    public int say(Call call, long address, int bytes) {
        if (Carrier.isSilent(call, membership)) {
            return 1;
        }
        if (Carrier.isEach(call)) {
            meeting.sayBytesEach(address, bytes);
        } else {
            meeting.sayBytes(address, bytes);
        }
        return FlatRound.words(bytes);
    }

    @Override
    public boolean hasAll() {
        return true;
    }

    @Override
    public long heard(int member) {
        return meeting.heardBytes(member);
    }
}
