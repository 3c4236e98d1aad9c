// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import coterie.Context;
import coterie.ContextOption;
import coterie.ElementView;
import coterie.SignalWord;
import coterie.Team;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/// The contexts of a stream, one for each team that numbers the PEs of its operations, and the program's views as
/// they go through them. Only the thread that runs the hook uses it.
final class StreamContexts {
    /// Views, and signals, that a stream finds again without a new object: enough for a program that keeps its own,
    /// and a bound for one that makes new ones all the time.
    private static final int MOST = 256;

    private final FailureWatch failures;
    private final PendingTickets pending = new PendingTickets();
    private final List<Context> contexts = new ArrayList<>();
    private final IdentityHashMap<ElementView, ElementView> views = new IdentityHashMap<>();
    private final IdentityHashMap<SignalWord, SignalWord> signals = new IdentityHashMap<>();

    StreamContexts(FailureWatch failures) {
        this.failures = failures;
    }

    /// Returns a view of the same elements through the stream's context.
    ElementView through(ElementView view) {
        ElementView known = views.get(view);
        if (known != null) {
            return known;
        }
        ElementView made = view.through(of(view.context().team()));
        keep(views, view, made);
        return made;
    }

    /// Returns the signal through the stream's context.
    SignalWord through(SignalWord signal) {
        SignalWord known = signals.get(signal);
        if (known != null) {
            return known;
        }
        SignalWord made = signal.through(of(signal.context().team()));
        keep(signals, signal, made);
        return made;
    }

    private static <T> void keep(IdentityHashMap<T, T> known, T given, T made) {
        if (known.size() == MOST) {
            known.clear();
        }
        known.put(given, made);
    }

    private Context of(Team team) {
        for (int i = 0; i < contexts.size(); i++) {
            if (contexts.get(i).team().equals(team)) {
                return contexts.get(i);
            }
        }
        Context made = team.createContext(ContextOption.SERIALIZED);
        failures.forget(made);
        contexts.add(made);
        return made;
    }

    /// Returns the non-blocking operations under way.
    PendingTickets pending() {
        return pending;
    }

    int size() {
        return contexts.size();
    }

    Context get(int i) {
        return contexts.get(i);
    }

    /// Returns whether a context has not ended with its team.
    boolean isOpen(int i) {
        return contexts.get(i).team().isValid();
    }

    /// Ends the contexts, which have no operation under way.
    void close() {
        pending.clear();
        for (Context context : contexts) {
            if (context.team().isValid()) {
                context.close();
            }
        }
        contexts.clear();
        views.clear();
        signals.clear();
    }
}
