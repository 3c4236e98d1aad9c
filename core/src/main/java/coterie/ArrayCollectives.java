// SPDX-License-Identifier: Apache-2.0
package coterie;

/// The collectives of a [Team] on arrays and other memory that is nowhere symmetric.
public interface ArrayCollectives {}
