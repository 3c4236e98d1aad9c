// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Folds what PEs print as they end by an exception: one text for all PEs that have the same, with their numbers. A PE
/// marks this text on its stderr; it ends soon after that, so that the launcher can hold the text until the job ends.
final class TraceFold {
    /// The lines that begin and end a marked text. No program prints such characters by chance.
    static final String BEGIN = "\u0001coterie trace\u0002\n";

    static final String END = "\u0003coterie trace\u0004\n";

    /// What stands for the number of a PE in a text that several PEs have.
    private static final String PE_ITSELF = "\u0001";

    private final Charset encoding;
    private final Map<String, List<Integer>> pesByText = new LinkedHashMap<>();
    private final List<MarkedLines> lines = new ArrayList<>();

    /// @param encoding of what PEs print
    TraceFold(String encoding) {
        this.encoding = Charset.forName(encoding);
    }

    /// Returns a target for the stderr of a PE that passes on what is not marked.
    synchronized LineTarget of(int pe, LineTarget next) {
        MarkedLines made = new MarkedLines(pe, next);
        lines.add(made);
        return made;
    }

    /// Adds a PE's text.
    synchronized void add(int pe, String text) {
        pesByText.computeIfAbsent(neutral(pe, text), key -> new ArrayList<>()).add(pe);
    }

    /// Returns the texts, in the order in which the first PE of each has printed it. Called once, at the end.
    synchronized List<String> texts() {
        lines.forEach(MarkedLines::close);
        List<String> texts = new ArrayList<>();
        pesByText.forEach((text, pes) -> texts.add(folded(text, pes)));
        return texts;
    }

    /// Messages have the number of their PE, by which alone equal ones differ.
    private static String neutral(int pe, String text) {
        return text.replaceAll("\\bPE " + pe + "\\b", PE_ITSELF);
    }

    private static String folded(String text, List<Integer> pes) {
        List<Integer> sorted = pes.stream().sorted().toList();
        String all = PeNumbers.text(sorted);
        if (sorted.size() == 1) {
            return text.replace(PE_ITSELF, all);
        }
        String own = "coterie: " + PE_ITSELF;
        if (text.startsWith(own)) {
            return "coterie: " + all + text.substring(own.length()).replace(PE_ITSELF, all);
        }
        String first = PeNumbers.text(sorted.subList(0, 1));
        return all + (text.contains(PE_ITSELF) ? ", in the words of " + first : "") + ": "
                + text.replace(PE_ITSELF, first);
    }

    /// Takes marked texts out of the lines of a PE.
    private final class MarkedLines implements LineTarget {
        private final int pe;
        private final LineTarget next;
        private final ByteArrayOutputStream held = new ByteArrayOutputStream();
        private boolean isMarked;

        MarkedLines(int pe, LineTarget next) {
            this.pe = pe;
            this.next = next;
        }

        @Override
        public void lines(byte[] bytes, int from, int to) throws IOException {
            synchronized (TraceFold.this) {
                int begin = from;
                for (int start = from; start < to; ) {
                    int end = Console.lineEnd(bytes, start, to);
                    if (isLine(bytes, start, end, isMarked ? END : BEGIN)) {
                        pass(bytes, begin, start);
                        begin = end;
                        if (isMarked) {
                            close();
                        } else {
                            isMarked = true;
                        }
                    }
                    start = end;
                }
                pass(bytes, begin, to);
            }
        }

        private void pass(byte[] bytes, int from, int to) throws IOException {
            if (isMarked) {
                held.write(bytes, from, to - from);
            } else if (from < to) {
                next.lines(bytes, from, to);
            }
        }

        /// Ends a marked text, also one of a PE that was killed as it printed it.
        void close() {
            if (isMarked) {
                isMarked = false;
                add(pe, held.toString(encoding).stripTrailing());
                held.reset();
            }
        }

        private static boolean isLine(byte[] bytes, int from, int to, String line) {
            return to - from == line.length()
                    && new String(bytes, from, to - from, StandardCharsets.ISO_8859_1).equals(line);
        }
    }
}
