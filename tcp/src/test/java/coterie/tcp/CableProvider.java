// SPDX-License-Identifier: Apache-2.0
package coterie.tcp;

import coterie.spi.Conduit;
import coterie.spi.ConduitContext;
import coterie.spi.Encryption;
import coterie.spi.PeJob;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.Optional;
import java.util.Set;

/// The conduit `tcp` for PEs of one launcher that are in different network namespaces. Their job knows the loopback
/// address alone, which another namespace does not reach: so each listens at a network interface that the environment
/// names.
public final class CableProvider implements Conduit.Provider {
    /// The name of the conduit in the setting CONDUIT.
    public static final String NAME = "tcp_on_cables";

    /// The variable with the name of the interface.
    public static final String INTERFACE = "TCP_TEST_INTERFACE";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Set<Conduit.Capability> capabilities() {
        return TcpProvider.CAPABILITIES;
    }

    /// No test takes it unless it names it.
    @Override
    public int preference() {
        return Integer.MIN_VALUE;
    }

    @Override
    public String missing() {
        return "";
    }

    @Override
    public Optional<String> refusal(PeJob job) {
        return System.getenv(INTERFACE) == null ? Optional.of(INTERFACE + " is not set") : Optional.empty();
    }

    @Override
    public Conduit open(ConduitContext context) {
        return new TcpConduit(new OnCable(context, at(context.job(), address(System.getenv(INTERFACE)))));
    }

    private static InetAddress address(String networkInterface) {
        try {
            return NetworkInterface.getByName(networkInterface)
                    .inetAddresses()
                    .filter(each -> each.getAddress().length == Integer.BYTES)
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static PeJob at(PeJob job, InetAddress address) {
        return (PeJob) Proxy.newProxyInstance(
                PeJob.class.getClassLoader(), new Class<?>[] {PeJob.class}, (_, method, arguments) -> {
                    if (method.getName().equals("hostAddress")) {
                        return Optional.of(address);
                    }
                    try {
                        return method.invoke(job, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private record OnCable(ConduitContext context, PeJob job) implements ConduitContext {
        @Override
        public String setting(String name) {
            return context.setting(name);
        }

        @Override
        public Encryption encryption() {
            return context.encryption();
        }

        @Override
        public long syncBytes() {
            return context.syncBytes();
        }

        @Override
        public MemorySegment memory(long byteSize) {
            return context.memory(byteSize);
        }

        @Override
        public Optional<String> refusal(long byteSize) {
            return context.refusal(byteSize);
        }

        @Override
        public boolean isNear(int peer) {
            return context.isNear(peer);
        }

        @Override
        public byte[] share(MemorySegment memory) {
            return context.share(memory);
        }

        @Override
        public long attach(int peer, byte[] description, long byteSize) {
            return context.attach(peer, description, byteSize);
        }
    }
}
