// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/// Finds a small part of a list that still has a property, by delta debugging: Zeller and Hildebrandt,
/// "Simplifying and Isolating Failure-Inducing Input", 2002, algorithm ddmin.
///
/// If k of n items matter, the search tests the property some k·log n times in good cases, and n² times in the
/// worst case.
final class DeltaDebugger<T> {
    private final Predicate<List<T>> property;
    private final BooleanSupplier mayGoOn;
    private List<T> current;
    private boolean stopped;

    private DeltaDebugger(List<T> whole, Predicate<List<T>> property, BooleanSupplier mayGoOn) {
        this.current = whole;
        this.property = property;
        this.mayGoOn = mayGoOn;
    }

    /// The result of a search.
    ///
    /// @param items in their original order; they have the property
    /// @param isMinimal whether the items lose the property when any one of them is removed; false if `mayGoOn`
    ///     ended the search
    record Result<T>(List<T> items, boolean isMinimal) {}

    /// Searches for a small part of a list.
    ///
    /// @param whole has the property
    /// @param mayGoOn the search calls it before each test; if it returns false, the smallest part so far is the
    ///     result
    static <T> Result<T> minimize(List<T> whole, Predicate<List<T>> property, BooleanSupplier mayGoOn) {
        DeltaDebugger<T> deltaDebugger = new DeltaDebugger<>(List.copyOf(whole), property, mayGoOn);
        deltaDebugger.minimize();
        return new Result<>(deltaDebugger.current, !deltaDebugger.stopped);
    }

    private void minimize() {
        if (current.isEmpty() || accept(List.of())) {
            return;
        }
        int parts = 2;
        while (current.size() > 1 && !stopped) {
            if (takePart(parts)) {
                parts = 2;
            } else if (parts > 2 && takeAllButOnePart(parts)) {
                parts--;
            } else if (parts < current.size()) {
                parts = Math.min(2 * parts, current.size());
            } else {
                return;
            }
        }
    }

    private boolean takePart(int parts) {
        for (int part = 0; part < parts; part++) {
            if (accept(current.subList(begin(part, parts), begin(part + 1, parts)))) {
                return true;
            }
        }
        return false;
    }

    private boolean takeAllButOnePart(int parts) {
        for (int part = 0; part < parts; part++) {
            List<T> rest = new ArrayList<>(current.subList(0, begin(part, parts)));
            rest.addAll(current.subList(begin(part + 1, parts), current.size()));
            if (accept(rest)) {
                return true;
            }
        }
        return false;
    }

    private int begin(int part, int parts) {
        return (int) ((long) current.size() * part / parts);
    }

    private boolean accept(List<T> candidate) {
        if (stopped || !mayGoOn.getAsBoolean()) {
            stopped = true;
            return false;
        }
        List<T> copy = List.copyOf(candidate);
        if (!property.test(copy)) {
            return false;
        }
        current = copy;
        return true;
    }
}
