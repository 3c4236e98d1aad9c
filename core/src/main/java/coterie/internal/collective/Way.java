// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

/// An algorithm of a layer, as a team's [DataCollectives] know it.
enum Way {
    /// see [InlineCollectives]
    INLINE,
    /// see [Pulls]
    PULL,
    /// see [ShareReductions]
    SHARE,
    /// see [Exchanges]
    LINEAR
}
