// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import org.junit.jupiter.api.Tag;

/// The cases of the class above, over loopback sockets. Thousands of rounds of 8 PEs take minutes.
@Tag("soak")
class LoopbackLockTest extends LockConformanceTest {}
