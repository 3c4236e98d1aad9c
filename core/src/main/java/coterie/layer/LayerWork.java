// SPDX-License-Identifier: Apache-2.0
package coterie.layer;

/// What a layer has prepared for a collective: a task of its own, or a composition of collectives of groups.
public sealed interface LayerWork permits LayerTask, Composition {}
