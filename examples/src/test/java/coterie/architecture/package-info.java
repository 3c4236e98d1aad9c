// SPDX-License-Identifier: Apache-2.0

/// The rules of the house, for all modules at once: this is the one place that sees the classes of every module.
package coterie.architecture;
