// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

/// The cases of the class above, over UCX.
class UcxHeapTest extends HeapConformanceTest {}
