// SPDX-License-Identifier: Apache-2.0

/// GIN of NCCL's device API, over the public API of core and the thread groups of streams.
module coterie.gin {
    requires transitive coterie;
    requires transitive coterie.stream;
    requires static org.jspecify;

    exports coterie.gin;
}
