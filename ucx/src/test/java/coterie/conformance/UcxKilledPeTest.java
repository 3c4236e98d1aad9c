// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import org.junit.jupiter.api.Tag;

@Tag("soak")
class UcxKilledPeTest extends KilledPeOverNetwork {}
