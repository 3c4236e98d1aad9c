// SPDX-License-Identifier: Apache-2.0
package coterie.ucx;

import coterie.conformance.BytesBetweenNodes;

class UcxConduitTest extends BytesBetweenNodes {}
