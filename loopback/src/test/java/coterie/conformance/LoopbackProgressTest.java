// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

/// The same over sockets.
class LoopbackProgressTest extends ProgressConformanceTest {}
