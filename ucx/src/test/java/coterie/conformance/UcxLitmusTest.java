// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import org.junit.jupiter.api.Tag;

/// The cases of the class above, over UCX: what a network and the threads that serve it may reorder.
@Tag("soak")
class UcxLitmusTest extends LitmusConformanceTest {}
