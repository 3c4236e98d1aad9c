// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import coterie.Context;
import coterie.ContextOption;
import coterie.ElementView;
import coterie.SignalWord;
import coterie.Team;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The contexts of a stream, one for each team that numbers the PEs of its operations, and the program's views as
/// they go through them. Only the thread that runs the hook uses it.
final class StreamContexts {
    /// Views that a stream finds again without a new one; a view whose place another one has taken costs a small
    /// object.
    private static final int PLACES = 64;

    private final FailureWatch failures;
    private final List<Context> contexts = new ArrayList<>();
    private final @Nullable Object[] given = new Object[PLACES];
    private final @Nullable Object[] bound = new Object[PLACES];

    StreamContexts(FailureWatch failures) {
        this.failures = failures;
    }

    /// Returns a view of the same elements through the stream's context.
    @SuppressWarnings("ReferenceEquality") // a view has no other equality
    ElementView through(ElementView view) {
        int place = System.identityHashCode(view) & (PLACES - 1);
        if (given[place] == view && bound[place] instanceof ElementView known) {
            return known;
        }
        ElementView made = view.through(of(view.context().team()));
        given[place] = view;
        bound[place] = made;
        return made;
    }

    /// Returns the signal through the stream's context.
    @SuppressWarnings("ReferenceEquality") // a word has no other equality
    SignalWord through(SignalWord signal) {
        int place = System.identityHashCode(signal) & (PLACES - 1);
        if (given[place] == signal && bound[place] instanceof SignalWord known) {
            return known;
        }
        SignalWord made = signal.through(of(signal.context().team()));
        given[place] = signal;
        bound[place] = made;
        return made;
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
        for (Context context : contexts) {
            if (context.team().isValid()) {
                context.close();
            }
        }
        contexts.clear();
    }
}
