// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

/// What a put does at its caller, once the source may be reused: nothing, or it increments a counter. It says
/// nothing of other puts, nor of the target.
/// @counterpart the local actions `ncclGin_…Counter…`
public final class LocalAction {
    /// No action.
    /// @counterpart `ncclGin_None`
    public static final LocalAction NONE = new LocalAction(-1);

    private final int counter;

    private LocalAction(int counter) {
        this.counter = counter;
    }

    /// Increments a counter.
    /// @counterpart `ncclGin_WeakCounterInc`, `ncclGin_CounterInc`
    /// @param counter an id in `[0, n)`, where n is [DeviceCommunicator#counterCount]; the put checks it
    public static LocalAction weakCounterInc(int counter) {
        return new LocalAction(counter);
    }

    @SuppressWarnings("ReferenceEquality") // there is one
    boolean isNone() {
        return this == NONE;
    }

    int counter() {
        return counter;
    }

    @Override
    public String toString() {
        return isNone() ? "no action" : "increment of counter " + counter;
    }
}
