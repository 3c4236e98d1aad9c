// SPDX-License-Identifier: Apache-2.0

/// The Coterie runtime.
module coterie {
    requires jdk.jfr;
    requires static org.jspecify;
}
