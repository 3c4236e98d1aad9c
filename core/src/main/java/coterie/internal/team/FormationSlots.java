// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import coterie.TeamId;
import coterie.internal.memory.JobSegment;
import coterie.internal.memory.StatusField;
import coterie.internal.memory.StatusPage;
import coterie.internal.posix.AddressSpace;
import coterie.spi.Conduit;
import coterie.spi.Conduit.Region;
import java.util.ArrayDeque;
import java.util.Queue;

/// The slots of mine in which teams are formed. I give them out and take them back when I need one; what happens
/// in them is none of my business.
///
/// A slot in which a PE has failed is never used again: nobody can tell whether it has left.
final class FormationSlots {
    /// Slots that are looked at before another is taken: so those in use cost a new id little, however many they
    /// are, and each one that is used up is found after a while.
    private static final int LOOKS = 16;

    private final SyncArea area;
    private final StatusPage page;
    private final int me;
    private final int size;
    private final long base;
    private final long begin;
    private final int places;

    /// Offsets in my sync area, those first that were looked at the longest time ago.
    private final Queue<Long> slots = new ArrayDeque<>();

    /// @param begin where in the sync areas the lines of teams begin
    FormationSlots(SyncArea area, JobSegment job, Conduit conduit, int me, long begin) {
        this.area = area;
        this.page = job.status(me);
        this.me = me;
        this.size = job.size();
        this.base = conduit.localBase(Region.SYNC);
        this.begin = begin;
        this.places =
                (int) ((conduit.syncBytes() - begin - FormationSlot.lines(size) * JobSegment.LINE) / SlotId.STEP) + 1;
    }

    /// Opens a slot for a team.
    ///
    /// @throws SyncMemoryException if there is no memory for it
    synchronized TeamId open() throws SyncMemoryException {
        long offset = usedUp();
        if (offset < 0) {
            offset = area.allocate(FormationSlot.lines(size), SlotId.STEP);
        }
        slots.add(offset);
        long number = page.get(StatusField.NEXT_TEAM_ID);
        page.set(StatusField.NEXT_TEAM_ID, number + 1);
        SlotId id = new SlotId(me, (int) ((offset - begin) / SlotId.STEP), (int) (number % SlotId.SERIALS) + 1);
        long slot = base + offset;
        AddressSpace.ALL
                .asSlice(slot + FormationSlot.SIZE, FormationSlot.lines(size) * JobSegment.LINE - FormationSlot.SIZE)
                .fill((byte) 0);
        AddressSpace.setLongRelease(slot + FormationSlot.ID, id.teamId().value());
        AddressSpace.setLongRelease(
                slot + FormationSlot.STATE, SlotState.open(id.serial()).word());
        return id.teamId();
    }

    private long usedUp() {
        for (int look = Math.min(LOOKS, slots.size()); look > 0; look--) {
            long offset = slots.remove();
            if (new SlotState(AddressSpace.getLongAcquire(base + offset + FormationSlot.STATE)).isUsedUp()) {
                return offset;
            }
            slots.add(offset);
        }
        return -1;
    }

    /// How many places a slot can have in a sync area.
    int places() {
        return places;
    }

    /// Where in its root's sync area the slot of an id is.
    long offset(SlotId id) {
        return begin + id.place() * SlotId.STEP;
    }

    /// How many slots there are.
    synchronized int slots() {
        return slots.size();
    }

    /// Voids all ids: the next world has other things in these places.
    synchronized void close() {
        for (long offset : slots) {
            AddressSpace.setLongRelease(base + offset + FormationSlot.STATE, 0);
            AddressSpace.setLongRelease(base + offset + FormationSlot.ID, 0);
        }
        slots.clear();
    }
}
