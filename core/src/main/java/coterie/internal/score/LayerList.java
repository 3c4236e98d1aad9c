// SPDX-License-Identifier: Apache-2.0
package coterie.internal.score;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/// Which layers may take part, as people write it: `all`, `a,b` or `^a,b`, all but those. Answers to
/// `UCC_CL_<NAME>_TLS`. Upper and lower case are the same.
public final class LayerList {
    private final String text;
    private final Form form;
    private final SortedSet<String> names;
    private final List<Diagnostic> remarks;

    private enum Form {
        ALL,
        THESE,
        ALL_BUT
    }

    private LayerList(String text, Form form, SortedSet<String> names, List<Diagnostic> remarks) {
        this.text = text;
        this.form = form;
        this.names = names;
        this.remarks = List.copyOf(remarks);
    }

    /// Reads a list.
    ///
    /// @param what  the setting and where it is from, for the message
    /// @param known the names of all layers there are
    /// @throws IllegalArgumentException if it can't be read, with the word and its column, or a layer is asked for
    ///     that is not known
    public static LayerList parse(String what, String text, Collection<String> known) {
        try {
            return read(SourceToken.whole(text), new TreeSet<>(known));
        } catch (TuneSyntaxException misread) {
            throw new IllegalArgumentException(what + ", " + misread.getMessage(), misread);
        }
    }

    private static LayerList read(SourceToken whole, SortedSet<String> known) {
        if (whole.is("all")) {
            return new LayerList(whole.text(), Form.ALL, known, List.of());
        }
        boolean without = whole.startsWith('^');
        SortedSet<String> names = new TreeSet<>();
        List<Diagnostic> remarks = new ArrayList<>();
        for (SourceToken token :
                whole.part(without ? 1 : 0, whole.text().length()).split(',')) {
            Optional<String> layer = known.stream().filter(token::is).findFirst();
            if (layer.isEmpty() && !(without && isName(token))) {
                throw new TuneSyntaxException(
                        token,
                        "is not a layer",
                        String.join(", ", known) + "; or all as the only word, or ^ before the list to exclude its "
                                + "layers. A layer that plugs in has its jar on the class path (-cp), with a service entry"
                                + (isForEncryption(token) ? "; the setting ENCRYPTION=tls encrypts connections" : ""));
            }
            if (layer.isPresent()) {
                names.add(layer.get());
            } else {
                remarks.add(Diagnostic.noEffect(token, "no layer has this name", String.join(", ", known)));
            }
        }
        return new LayerList(whole.text(), without ? Form.ALL_BUT : Form.THESE, names, remarks);
    }

    /// Whether the user may have thought of the other meaning of TLS.
    private static boolean isForEncryption(SourceToken token) {
        return token.text().toLowerCase(Locale.ROOT).matches("on|true|yes|1|tls.*");
    }

    /// Whether a layer could be called so. One that is to be left out need not be there.
    private static boolean isName(SourceToken token) {
        return SelectableAlgorithm.isComponent(token.text().toLowerCase(Locale.ROOT)) && !token.is("all");
    }

    /// What is to be said of the list: names that change nothing.
    public List<Diagnostic> remarks() {
        return remarks;
    }

    /// Whether a layer may take part.
    public boolean admits(String layer) {
        return names.contains(layer) != (form == Form.ALL_BUT);
    }

    /// Whether a layer was asked for by its name, so that people want to know if it is not usable.
    public boolean names(String layer) {
        return form == Form.THESE && names.contains(layer);
    }

    /// As it was written.
    @Override
    public String toString() {
        return text;
    }
}
