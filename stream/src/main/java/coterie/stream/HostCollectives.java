// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import coterie.ElementView;
import coterie.spi.CollectiveListener;

/// Looks at the collectives that the program calls without a stream: those that a capture prohibits or leaves out,
/// and those that rely on a copy which may be late.
final class HostCollectives implements CollectiveListener {
    private final StreamEngine engine;

    HostCollectives(StreamEngine engine) {
        this.engine = engine;
    }

    @Override
    public void beforeCollective(String operation) {
        engine.captures().beforeCollective(operation);
    }

    @Override
    public void beforeAllocation(String operation) {
        engine.captures().checkAllowed(operation);
    }

    @Override
    public void beforeAccess(String operation, ElementView elements, long index, long count) {
        engine.lateCopies().checkHost(operation, elements, index, count);
    }
}
