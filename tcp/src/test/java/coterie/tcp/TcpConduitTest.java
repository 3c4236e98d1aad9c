// SPDX-License-Identifier: Apache-2.0
package coterie.tcp;

import coterie.conformance.BytesBetweenNodes;

class TcpConduitTest extends BytesBetweenNodes {}
