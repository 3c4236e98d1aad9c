// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import coterie.AtomicOperation;
import coterie.Context;
import coterie.ElementView;
import coterie.IntegerView;
import coterie.SignalOperation;
import coterie.SignalUpdate;
import coterie.SignalWord;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import org.jspecify.annotations.Nullable;

/// A word whose values in a graph go on from launch to launch.
///
/// @param byteOffset in the memory
record GraphWord(SymmetricMemory memory, long byteOffset) {

    static GraphWord of(SignalWord signal) {
        return new GraphWord(signal.memory(), signal.index() * Long.BYTES);
    }

    static GraphWord of(ElementView view, long index) {
        return new GraphWord(view.memory(), index * view.type().byteSize());
    }

    /// Returns whether an operation waits for a value of the word, or stores one.
    boolean isIn(StreamOperation operation) {
        return switch (operation.type) {
            case SIGNAL_WAIT -> operation.object instanceof SignalWord signal && equals(of(signal));
            case SIGNAL, PUT_SIGNAL, PUT_SIGNAL_NBI ->
                operation.object instanceof SignalUpdate update
                        && update.operation() == SignalOperation.SET
                        && equals(of(update.signal()));
            case WAIT_UNTIL, WAIT_VALUE, WRITE_VALUE, PUT_WORD -> isAt(operation.view, operation.index);
            case ATOMIC, FETCH_ATOMIC ->
                operation.atomic == AtomicOperation.SWAP && isAt(operation.view, operation.index);
            default -> false;
        };
    }

    private boolean isAt(@Nullable ElementView view, long index) {
        return view instanceof IntegerView && equals(of(view, index));
    }

    /// Returns the PE whose word an operation waits for or stores; the number of PEs if it names none.
    static int pe(StreamOperation operation, World world) {
        Context through = context(operation);
        boolean isWait = switch (operation.type) {
            case SIGNAL_WAIT, WAIT_UNTIL, WAIT_VALUE -> true;
            default -> false;
        };
        if (isWait || through == null) {
            return world.pe();
        }
        Team team = through.team();
        boolean isMember = operation.pe >= 0 && operation.pe < team.size(); // the launch refuses others
        return isMember ? team.pe(operation.pe) : world.size();
    }

    private static @Nullable Context context(StreamOperation operation) {
        if (operation.object instanceof SignalUpdate update) {
            return update.signal().context();
        }
        ElementView view = operation.view;
        return view == null ? null : view.context();
    }

    /// Lets the value that an operation waits for or stores be the captured one and the sum of its word.
    static void advance(StreamOperation operation) {
        AdvancingWord word = operation.advancing;
        if (word == null) {
            return;
        }
        long sum = word.sum();
        long more = sum - operation.advanced;
        operation.advanced = sum;
        if (more == 0) {
            return;
        }
        if (operation.object instanceof SignalUpdate update) {
            operation.object = update.signal().setting(update.value() + more);
        } else {
            operation.value += more;
        }
    }
}
