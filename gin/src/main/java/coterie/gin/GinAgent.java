// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import coterie.spi.ProgressHook;

/// Advances the contexts of a communicator while threads of the PE wait.
record GinAgent(DeviceCommunicator communicator) implements ProgressHook {
    @Override
    public boolean progress() {
        return communicator.advance();
    }

    @Override
    public boolean dependsOnPesAlone() {
        return true;
    }
}
