// SPDX-License-Identifier: Apache-2.0
package coterie.sim.agreement;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A writer's slot on a reader's board, and the stores to it that are under way. Stores arrive in their order. A
/// store of the word that is there already arrives at once: no reader can tell.
final class BoardSlot {
    /// More stores under way than a member that does not repeat itself can have.
    private static final int MAX_STORES = 40;

    private final int id;
    private final List<Long> words;
    private final List<AgreementMember.Put> stores;
    private final Map<AgreementMember.Put, BoardSlot> extended = new HashMap<>();

    private BoardSlot(int id, List<Long> words, List<AgreementMember.Put> stores) {
        this.id = id;
        this.words = words;
        this.stores = stores;
    }

    int id() {
        return id;
    }

    long word(int index) {
        return words.get(index);
    }

    boolean isUnderWay() {
        return !stores.isEmpty();
    }

    /// All slots that occur, each once.
    static final class Table {
        private final List<BoardSlot> slots = new ArrayList<>();
        private final Map<List<Object>, BoardSlot> known = new HashMap<>();

        /// @param words of a slot
        Table(int words) {
            of(List.copyOf(Collections.nCopies(words, 0L)), List.of());
        }

        /// Returns the slot with a number; 0 is the empty one.
        BoardSlot slot(int id) {
            return slots.get(id);
        }

        /// Returns the slot after another store has been started.
        BoardSlot extend(BoardSlot slot, AgreementMember.Put store) {
            return slot.extended.computeIfAbsent(store, added -> {
                if (slot.stores.size() == MAX_STORES) {
                    throw new Violation("a member sends without end");
                }
                List<AgreementMember.Put> more = new ArrayList<>(slot.stores);
                more.add(added);
                return of(slot.words, more);
            });
        }

        /// Returns the slot after its first store has arrived.
        BoardSlot arrive(BoardSlot slot) {
            List<Long> words = new ArrayList<>(slot.words);
            words.set(slot.stores.getFirst().word(), slot.stores.getFirst().value());
            return of(words, slot.stores.subList(1, slot.stores.size()));
        }

        /// Returns the slot after its stores were lost.
        BoardSlot lose(BoardSlot slot) {
            return of(slot.words, List.of());
        }

        private BoardSlot of(List<Long> words, List<AgreementMember.Put> stores) {
            int first = 0;
            while (first < stores.size()
                    && words.get(stores.get(first).word()) == stores.get(first).value()) {
                first++;
            }
            List<Long> has = List.copyOf(words);
            List<AgreementMember.Put> left = List.copyOf(stores.subList(first, stores.size()));
            return known.computeIfAbsent(List.of(has, left), key -> {
                BoardSlot added = new BoardSlot(slots.size(), has, left);
                slots.add(added);
                return added;
            });
        }
    }
}
