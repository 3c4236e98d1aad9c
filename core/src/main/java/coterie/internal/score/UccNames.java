// SPDX-License-Identifier: Apache-2.0
package coterie.internal.score;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Names that UCC has for algorithms which have others here, so that its tuning strings can be used. The page on
/// teams has the same table. UCC's numbers are other ones than ours.
final class UccNames {
    private static final Map<String, String> OURS = Map.of("sra_knomial", "sra", "sag_knomial", "sag");

    private UccNames() {}

    /// Our name for an algorithm that UCC calls so.
    static Optional<String> ours(SourceToken name) {
        return Optional.ofNullable(OURS.get(name.text().toLowerCase(Locale.ROOT)));
    }
}
