// SPDX-License-Identifier: Apache-2.0
package coterie.internal.score;

import coterie.collective.MemoryType;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The kinds of memory that a tuning string may name. There need not be memory of that kind here.
enum MemoryTypeName {
    HOST(MemoryType.HOST),
    CUDA(null),
    CUDA_MANAGED(null),
    ROCM(null),
    ROCM_MANAGED(null);

    private final @Nullable MemoryType type;

    MemoryTypeName(@Nullable MemoryType type) {
        this.type = type;
    }

    Optional<MemoryType> type() {
        return Optional.ofNullable(type);
    }

    /// Finds a name such as `cuda_managed`; `CudaManaged` is the same.
    static Optional<MemoryTypeName> named(SourceToken token) {
        return Arrays.stream(values())
                .filter(each -> token.is(each.name()) || token.is(each.name().replace("_", "")))
                .findFirst();
    }

    /// Reads names.
    ///
    /// @throws TuneSyntaxException if one is no memory's
    static Set<MemoryTypeName> read(List<SourceToken> names) {
        Set<MemoryTypeName> memories = EnumSet.noneOf(MemoryTypeName.class);
        for (SourceToken name : names) {
            memories.add(named(name).orElseThrow(() -> new TuneSyntaxException(name, "is not a memory", all())));
        }
        return memories;
    }

    /// All names, with commas between.
    static String all() {
        return Arrays.stream(values()).map(MemoryTypeName::toString).collect(Collectors.joining(", "));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
