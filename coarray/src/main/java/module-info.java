// SPDX-License-Identifier: Apache-2.0

/// Images, teams and coarrays, as Fortran has them, over the public API of core.
module coterie.coarray {
    requires transitive coterie;
    requires static org.jspecify;

    exports coterie.coarray;
}
