// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class EncryptionTest {
    private static final String EXPIRED_END = "20200101000000Z";

    @TempDir
    private Path folder;

    /// Two ends of a connection in this thread.
    private static final class Ends implements AutoCloseable {
        final EncryptedChannel client;
        final EncryptedChannel server;

        Ends(Encryption ofClient, Encryption ofServer) throws IOException {
            InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            try (ServerSocketChannel listener = ServerSocketChannel.open().bind(any)) {
                SocketChannel called = SocketChannel.open(listener.getLocalAddress());
                SocketChannel accepted = listener.accept();
                called.configureBlocking(false);
                accepted.configureBlocking(false);
                client = ofClient.connect(called);
                server = ofServer.accept(accepted);
            }
        }

        void handshake() throws IOException {
            boolean isSecured = false;
            while (!isSecured) {
                boolean isClientSecured = client.handshake();
                isSecured = server.handshake() && isClientSecured;
            }
        }

        @Override
        public void close() throws IOException {
            client.close();
            server.close();
        }
    }

    @Test
    @DisplayName("bytes of any number arrive, into buffers of any size, and both ends have one binding")
    void bytesArrive() throws IOException {
        try (Ends ends = new Ends(Encryption.tls(), Encryption.tls())) {
            ends.handshake();
            assertThat(ends.client.binding()).hasSize(Encryption.BINDING_BYTES).isEqualTo(ends.server.binding());
            Random random = new Random(7);
            byte[] sent = new byte[3_000_000];
            random.nextBytes(sent);
            ByteBuffer source = ByteBuffer.wrap(sent);
            ByteBuffer target = ByteBuffer.allocateDirect(sent.length);
            while (target.hasRemaining()) {
                source.limit(Math.min(sent.length, source.position() + random.nextInt(100_000)));
                ends.client.write(source);
                int limit = Math.min(sent.length, target.position() + random.nextInt(40_000));
                ends.server.read(target.limit(limit));
                target.limit(sent.length);
            }
            byte[] received = new byte[sent.length];
            target.flip().get(received);
            assertThat(received).isEqualTo(sent);
        }
    }

    @Test
    @DisplayName("two connections have two bindings")
    void bindingsDiffer() throws IOException {
        Encryption encryption = Encryption.tls();
        try (Ends one = new Ends(encryption, encryption);
                Ends other = new Ends(encryption, encryption)) {
            one.handshake();
            other.handshake();
            assertThat(one.client.binding()).isNotEqualTo(other.client.binding());
        }
    }

    @Test
    @DisplayName("a plain client gets no answer but an alert, and the server says why")
    void plainClient() throws IOException {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (ServerSocketChannel listener = ServerSocketChannel.open().bind(any);
                SocketChannel called = SocketChannel.open(listener.getLocalAddress());
                SocketChannel accepted = listener.accept()) {
            called.write(ByteBuffer.wrap("a greeting without TLS, of some bytes".getBytes(StandardCharsets.US_ASCII)));
            assertThatThrownBy(() -> Encryption.tls().accept(accepted).handshake())
                    .isInstanceOf(SSLException.class)
                    .hasMessageContaining("SSL");
        }
    }

    private String file(String name, String kind, byte[] der) throws IOException {
        String text = "-----BEGIN " + kind + "-----\n" + Base64.getMimeEncoder().encodeToString(der) + "\n-----END "
                + kind + "-----\n";
        return Files.writeString(folder.resolve(name), text).toString();
    }

    /// Returns settings with a certificate that is its own root.
    private Map<String, String> settings(OwnCertificate own) throws IOException, GeneralSecurityException {
        String name = Integer.toHexString(own.certificate().hashCode());
        String chain = file(name + ".pem", "CERTIFICATE", own.certificate().getEncoded());
        return new HashMap<>(Map.of(
                "ENCRYPTION",
                "tls",
                "ENCRYPTION_CERTIFICATES",
                chain,
                "ENCRYPTION_KEY",
                file(name + ".key", "PRIVATE KEY", own.key().getEncoded()),
                "ENCRYPTION_ROOTS",
                chain));
    }

    private static Encryption of(Map<String, String> settings) {
        UnaryOperator<String> values = name -> settings.getOrDefault(name, "");
        return Encryption.of(values);
    }

    @Test
    @DisplayName("with certificates from files both ends demand one of their roots")
    void certificatesOfFiles() throws Exception {
        OwnCertificate own = OwnCertificate.make();
        Encryption given = of(settings(own));
        try (Ends ends = new Ends(given, of(settings(own)))) {
            ends.handshake();
            assertThat(ends.client.binding()).isEqualTo(ends.server.binding());
        }
        for (Encryption other : new Encryption[] {Encryption.tls(), of(settings(OwnCertificate.make()))}) {
            try (Ends ends = new Ends(given, other)) {
                assertThatThrownBy(ends::handshake).isInstanceOf(SSLException.class);
            }
            try (Ends ends = new Ends(other, given)) {
                assertThatThrownBy(ends::handshake).isInstanceOf(SSLException.class);
            }
        }
    }

    @Test
    @DisplayName("a certificate that has expired, a wrong root, and a key of another are errors with file and reason")
    void wrongFiles() throws Exception {
        Map<String, String> good = settings(OwnCertificate.make());
        Map<String, String> expired = settings(OwnCertificate.make("000101000000Z", EXPIRED_END));
        assertWrong(expired, "ENCRYPTION_CERTIFICATES", expired.get("ENCRYPTION_CERTIFICATES"), "expired at");
        Map<String, String> early = settings(OwnCertificate.make("490101000000Z", "99991231235959Z"));
        assertWrong(early, "ENCRYPTION_CERTIFICATES", "begins at");
        Map<String, String> other = settings(OwnCertificate.make());
        assertWrong(
                with(good, "ENCRYPTION_ROOTS", other.get("ENCRYPTION_ROOTS")),
                good.get("ENCRYPTION_CERTIFICATES"),
                "does not lead to a root",
                other.get("ENCRYPTION_ROOTS"));
        assertWrong(
                with(good, "ENCRYPTION_KEY", other.get("ENCRYPTION_KEY")),
                other.get("ENCRYPTION_KEY"),
                "does not belong to the first certificate");
        byte[] rsa = KeyPairGenerator.getInstance("RSA")
                .generateKeyPair()
                .getPrivate()
                .getEncoded();
        assertWrong(
                with(good, "ENCRYPTION_KEY", file("rsa.key", "PRIVATE KEY", rsa)),
                "rsa.key",
                "does not belong to the first certificate",
                "EC");
        assertWrong(
                with(good, "ENCRYPTION_KEY", file("old.key", "EC PRIVATE KEY", rsa)),
                "old.key",
                "it has an EC PRIVATE KEY",
                "openssl pkcs8");
        assertWrong(with(good, "ENCRYPTION_ROOTS", good.get("ENCRYPTION_KEY")), "ENCRYPTION_ROOTS", "no certificates");
        assertWrong(with(good, "ENCRYPTION_KEY", folder + "/none"), folder + "/none", "there is no such file");
        assertWrong(with(good, "ENCRYPTION_ROOTS", ""), "setting ENCRYPTION_ROOTS", "set all of");
        assertWrong(with(good, "ENCRYPTION", "none"), "it is none", "would not be encrypted");
        assertWrong(with(good, "ENCRYPTION", "on"), "\"on\" is not none or tls");
    }

    private static Map<String, String> with(Map<String, String> settings, String name, String value) {
        Map<String, String> changed = new HashMap<>(settings);
        changed.put(name, value);
        return changed;
    }

    private static void assertWrong(Map<String, String> settings, String... words) {
        assertThatThrownBy(() -> of(settings))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(words);
    }
}
