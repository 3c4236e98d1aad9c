// SPDX-License-Identifier: Apache-2.0

/// The rules of the architecture, for all modules at once: this module alone sees the classes of every module.
package coterie.architecture;
