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

/// The slots of one root in which PEs form teams. The root opens a slot for each new id, and reuses slots that all
/// participants have left; it takes no part in the formation itself.
///
/// The root never reuses a slot in which a PE has failed, as it can't know whether that PE has left; and none of a
/// team that lacks a failed PE, so that a late participant learns of the failure.
final class FormationSlots {
    /// The number of slots that a new id checks before it allocates another slot. So an id costs the same however
    /// many slots are in use, and later ids find each free slot.
    private static final int CHECKED = 16;

    private final SyncArea area;
    private final StatusPage page;
    private final int me;
    private final int size;
    private final long base;
    private final long begin;
    private final int places;

    /// Offsets in the root's sync area; first the slots whose last check is the oldest.
    private final Queue<Long> slots = new ArrayDeque<>();

    /// @param begin offset of the lines of teams in the sync areas
    FormationSlots(SyncArea area, StatusPage page, Conduit conduit, int me, int size, long begin) {
        this.area = area;
        this.page = page;
        this.me = me;
        this.size = size;
        this.base = conduit.localBase(Region.SYNC);
        this.begin = begin;
        this.places =
                (int) ((conduit.syncBytes() - begin - FormationSlot.lines(size) * JobSegment.LINE) / SlotId.STEP) + 1;
    }

    /// Opens a slot for a team.
    ///
    /// @throws SyncMemoryException if the root has no memory for another slot
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
        for (int left = Math.min(CHECKED, slots.size()); left > 0; left--) {
            long offset = slots.remove();
            long slot = base + offset;
            if (new SlotState(AddressSpace.getLongAcquire(slot + FormationSlot.STATE)).isUsedUp()
                    && !isLost(AddressSpace.getLongAcquire(slot + FormationSlot.REASON))) {
                return offset;
            }
            slots.add(offset);
        }
        return -1;
    }

    private static boolean isLost(long reason) {
        return FormationReason.of(reason) == FormationReason.LOST;
    }

    /// Returns the number of places for slots in a sync area.
    int places() {
        return places;
    }

    /// Returns the offset of an id's slot in its root's sync area.
    long offset(SlotId id) {
        return begin + id.place() * SlotId.STEP;
    }

    /// Returns the number of slots.
    synchronized int slots() {
        return slots.size();
    }

    /// Makes all ids invalid: the next world uses the memory otherwise.
    synchronized void close() {
        for (long offset : slots) {
            AddressSpace.setLongRelease(base + offset + FormationSlot.STATE, 0);
            AddressSpace.setLongRelease(base + offset + FormationSlot.ID, 0);
        }
        slots.clear();
    }
}
