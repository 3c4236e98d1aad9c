// SPDX-License-Identifier: Apache-2.0
package coterie.layer;

/// What a layer has prepared: a task of its own, or a composition of others' collectives.
public sealed interface LayerWork permits LayerTask, Composition {}
