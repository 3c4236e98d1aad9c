// SPDX-License-Identifier: Apache-2.0

/// Coarrays and streams in miniature, as the faces use core.
module coterie.outside {
    requires transitive coterie;
    requires static org.jspecify;

    exports coterie.outside;
}
