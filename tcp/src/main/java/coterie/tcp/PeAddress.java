// SPDX-License-Identifier: Apache-2.0
package coterie.tcp;

import coterie.CoterieException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/// What a PE publishes for its peers.
///
/// ```
///  port: 4 bytes │ connections: 1 byte │ world: 16 bytes │ bytes of the address: 1 byte │ address │ memory of SYNC
/// ```
final class PeAddress {
    private final InetSocketAddress socket;
    private final int connections;
    private final byte[] world;
    private final byte[] sharedSync;

    PeAddress(InetSocketAddress socket, int connections, byte[] world, byte[] sharedSync) {
        this.socket = socket;
        this.connections = connections;
        this.world = world;
        this.sharedSync = sharedSync;
    }

    InetSocketAddress socket() {
        return socket;
    }

    /// Returns how many connections to each peer the PE would have.
    int connections() {
        return connections;
    }

    /// Returns random bytes of this world of the PE; the caller must not change them.
    byte[] world() {
        return world;
    }

    /// Returns by what a PE of the same node maps the region SYNC; the caller must not change it.
    byte[] sharedSync() {
        return sharedSync;
    }

    byte[] encode() {
        byte[] host = socket.getAddress().getAddress();
        return ByteBuffer.allocate(Integer.BYTES + 1 + world.length + 1 + host.length + sharedSync.length)
                .putInt(socket.getPort())
                .put((byte) connections)
                .put(world)
                .put((byte) host.length)
                .put(host)
                .put(sharedSync)
                .array();
    }

    static PeAddress decode(byte[] published) {
        ByteBuffer from = ByteBuffer.wrap(published);
        int port = from.getInt();
        int connections = from.get();
        byte[] world = take(from, ConnectionProof.WORLD_BYTES);
        byte[] host = take(from, from.get());
        try {
            return new PeAddress(
                    new InetSocketAddress(InetAddress.getByAddress(host), port),
                    connections,
                    world,
                    take(from, from.remaining()));
        } catch (UnknownHostException e) {
            throw new CoterieException("an address of " + host.length + " bytes has been published for tcp", e);
        }
    }

    private static byte[] take(ByteBuffer from, int count) {
        byte[] taken = new byte[count];
        from.get(taken);
        return taken;
    }
}
