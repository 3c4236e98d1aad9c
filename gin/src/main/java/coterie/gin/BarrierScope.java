// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

/// The contexts whose operations a barrier fences: one, or all.
/// @counterpart the argument `ncclGin` or `ncclGinAllContexts` of a barrier session
public sealed interface BarrierScope permits Gin, AllContexts {}
