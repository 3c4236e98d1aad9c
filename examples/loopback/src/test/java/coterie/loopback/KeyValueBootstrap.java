// SPDX-License-Identifier: Apache-2.0

package coterie.loopback;

import coterie.CoterieException;
import coterie.spi.Bootstrap;
import coterie.spi.PeJob;
import java.io.IOException;
import java.util.Optional;

/// Finds the job of a process by system properties, as PMIx does by environment variables: `keyvalue.port` of a
/// [KeyValueServer], `keyvalue.pe` and `keyvalue.size`.
public final class KeyValueBootstrap implements Bootstrap {
    static final String PORT = "keyvalue.port";
    static final String PE = "keyvalue.pe";
    static final String SIZE = "keyvalue.size";

    /// For the service loader.
    public KeyValueBootstrap() {}

    @Override
    public String name() {
        return "keyvalue";
    }

    @Override
    public Optional<String> refusal() {
        return Integer.getInteger(PORT) == null
                ? Optional.of("the system property " + PORT + " is not set")
                : Optional.empty();
    }

    @Override
    public PeJob join() {
        try {
            return new KeyValueJob(Integer.getInteger(PORT), Integer.getInteger(PE), Integer.getInteger(SIZE));
        } catch (IOException e) {
            throw new CoterieException("join: no server at port " + Integer.getInteger(PORT), e);
        }
    }
}
