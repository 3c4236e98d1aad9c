// SPDX-License-Identifier: Apache-2.0

/// A program on the module path.
module ringsum {
    requires coterie;
    requires coterie.launch; // for Coterie.run
}
