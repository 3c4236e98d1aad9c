// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import org.junit.jupiter.api.Tag;

/// The cases of the class above, over UCX.
@Tag("soak")
class UcxAbortTest extends AbortConformanceTest {}
