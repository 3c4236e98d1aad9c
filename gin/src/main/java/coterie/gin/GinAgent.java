// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import coterie.spi.ProgressHook;

/// Advances the contexts of a communicator while threads of the PE wait.
record GinAgent(DeviceCommunicator communicator) implements ProgressHook {
    @Override
    public boolean progress() {
        boolean moved = false;
        try {
            for (int context = 0; context < communicator.layout().contexts; context++) {
                moved |= communicator.context(context).advance();
            }
        } catch (RuntimeException | Error e) {
            communicator.fail(e);
        }
        return moved;
    }

    @Override
    public boolean dependsOnPesAlone() {
        return true;
    }
}
