// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/// How a process encrypts the connections of its job, by the setting ENCRYPTION: not at all, or by TLS 1.3.
///
/// TLS alone admits no process: a certificate that a process makes for itself says nothing of its owner. Both ends
/// of a connection prove that they have the secret of the job, and the [#binding] of the connection is part of the
/// proof: the proofs of two connections that a third process joins are wrong. With certificates from files, both ends
/// demand a certificate of the given roots as well.
///
/// Threads: any.
public final class Encryption {
    /// Bytes of a [#binding].
    public static final int BINDING_BYTES = 32;

    private static final String SETTING = "ENCRYPTION";
    private static final String NONE = "none";
    private static final String TLS = "tls";
    private static final String LABEL = "EXPORTER-coterie-admission";
    /// More than a handshake has.
    private static final int REHEARSAL_STEPS = 1000;

    private static final String PROTOCOL = "TLSv1.3";

    /// What processors encrypt by instructions of their own comes first.
    private static final List<String> SUITES =
            List.of("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256");

    private final @Nullable SSLContext context;
    private final boolean demandsCertificates;

    private Encryption(@Nullable SSLContext context, boolean demandsCertificates) {
        this.context = context;
        this.demandsCertificates = demandsCertificates;
    }

    /// Returns that of `ENCRYPTION=none`: connections stay as they are.
    public static Encryption none() {
        return new Encryption(null, false);
    }

    /// Returns that of `ENCRYPTION=tls` with a certificate that this process makes for itself.
    public static Encryption tls() {
        OwnCertificate own = OwnCertificate.make();
        return new Encryption(context(own.keyManagers(), new TrustManager[] {new AnyCertificate()}), false).rehearsed();
    }

    /// Returns that of the settings ENCRYPTION, ENCRYPTION_CERTIFICATES, ENCRYPTION_KEY and ENCRYPTION_ROOTS.
    ///
    /// @param settings gives the value of a setting by its name
    /// @throws NullPointerException if the settings are null
    /// @throws IllegalArgumentException if a value is not allowed, or a file can't be used
    public static Encryption of(UnaryOperator<String> settings) {
        Objects.requireNonNull(settings, "of: settings is null");
        String value = settings.apply(SETTING);
        boolean isTls = value.equals(TLS);
        if (!isTls && !value.equals(NONE) && !value.isEmpty()) {
            throw new IllegalArgumentException("setting " + SETTING + ": \"" + value + "\" is not none or tls");
        }
        CertificateFiles files = CertificateFiles.of(settings);
        if (files == null) {
            return isTls ? tls() : none();
        }
        if (!isTls) {
            throw new IllegalArgumentException("setting " + SETTING + ": it is none, and " + CertificateFiles.NAMES
                    + " are set, so that connections with these certificates would not be encrypted; set "
                    + SETTING + " to tls, or leave the files out");
        }
        return new Encryption(context(files.keyManagers(), files.trustManagers()), true).rehearsed();
    }

    /// Shakes hands with itself: the first handshake of a JVM loads a thousand classes, which takes longer than a peer
    /// should wait for a connection.
    private Encryption rehearsed() {
        try {
            SSLEngine client = engine(true);
            SSLEngine server = engine(false);
            int bytes = client.getSession().getPacketBufferSize();
            ByteBuffer toServer = ByteBuffer.allocate(bytes);
            ByteBuffer toClient = ByteBuffer.allocate(bytes);
            for (int step = 0; step < REHEARSAL_STEPS && isUnderWay(client, server); step++) {
                advance(client, toServer, toClient);
                advance(server, toClient, toServer);
            }
            return this;
        } catch (SSLException e) {
            throw new IllegalArgumentException(
                    "setting " + SETTING + ": TLS fails in this process: " + e.getMessage(), e);
        }
    }

    private static boolean isUnderWay(SSLEngine client, SSLEngine server) {
        return client.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING
                || server.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING;
    }

    private static void advance(SSLEngine engine, ByteBuffer out, ByteBuffer in) throws SSLException {
        ByteBuffer nothing = ByteBuffer.allocate(0);
        switch (engine.getHandshakeStatus()) {
            case NEED_TASK -> {
                for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
                    task.run();
                }
            }
            case NEED_WRAP -> {
                if (out.position() == 0) {
                    engine.wrap(nothing, out);
                }
            }
            case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                engine.unwrap(in.flip(), nothing);
                in.compact();
            }
            case FINISHED, NOT_HANDSHAKING -> {}
        }
    }

    private SSLEngine engine(boolean isClient) throws SSLException {
        SSLEngine engine = context().createSSLEngine();
        engine.setUseClientMode(isClient);
        engine.setSSLParameters(prepared(engine.getSSLParameters()));
        engine.beginHandshake();
        return engine;
    }

    private static SSLContext context(KeyManager[] keys, TrustManager[] trust) {
        try {
            SSLContext made = SSLContext.getInstance(PROTOCOL);
            made.init(keys, trust, new SecureRandom());
            return made;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("setting ENCRYPTION: this JDK has no " + PROTOCOL, e);
        }
    }

    /// Returns whether connections are encrypted.
    public boolean isOn() {
        return context != null;
    }

    /// Returns the value of the setting, "none" or "tls".
    public String value() {
        return isOn() ? TLS : NONE;
    }

    /// Returns the end of a connection that has begun it, before the first byte. The connection may be non-blocking.
    ///
    /// @throws NullPointerException if the connection is null
    /// @throws IllegalStateException if connections are not encrypted
    public EncryptedChannel connect(SocketChannel connection) throws SSLException {
        return channel(connection, true);
    }

    /// Returns the end of a connection that has accepted it, as [#connect].
    ///
    /// @throws NullPointerException if the connection is null
    /// @throws IllegalStateException if connections are not encrypted
    public EncryptedChannel accept(SocketChannel connection) throws SSLException {
        return channel(connection, false);
    }

    private EncryptedChannel channel(SocketChannel connection, boolean isClient) throws SSLException {
        Objects.requireNonNull(connection, "connection is null");
        return new EncryptedChannel(connection, engine(isClient));
    }

    /// Returns a blocking connection over one that this process has begun; both ends have greeted each other. The
    /// handshake has the read timeout of the connection. A close of the connection itself ends all waits at once.
    ///
    /// @throws NullPointerException if the connection is null
    /// @throws IllegalStateException if connections are not encrypted
    public SSLSocket connect(Socket connection) throws IOException {
        Objects.requireNonNull(connection, "connection is null");
        SSLSocket secured = (SSLSocket) context()
                .getSocketFactory()
                .createSocket(connection, connection.getInetAddress().getHostAddress(), connection.getPort(), true);
        secured.setUseClientMode(true);
        secured.setSSLParameters(prepared(secured.getSSLParameters()));
        secured.startHandshake();
        return secured;
    }

    private SSLContext context() {
        SSLContext known = context;
        if (known == null) {
            throw new IllegalStateException("Encryption: the setting " + SETTING + " is none");
        }
        return known;
    }

    private SSLParameters prepared(SSLParameters parameters) {
        List<String> supported =
                Arrays.asList(context().getSupportedSSLParameters().getCipherSuites());
        parameters.setProtocols(new String[] {PROTOCOL});
        parameters.setCipherSuites(SUITES.stream().filter(supported::contains).toArray(String[]::new));
        parameters.setUseCipherSuitesOrder(true);
        parameters.setNeedClientAuth(demandsCertificates);
        return parameters;
    }

    /// Returns bytes that both ends of a connection have alike, and no other connection has: exported keying material
    /// (RFC 8446, section 7.5).
    ///
    /// @param session after the handshake
    /// @throws NullPointerException if the session is null
    public static byte[] binding(SSLSession session) throws SSLException {
        Objects.requireNonNull(session, "binding: session is null");
        return ((ExtendedSSLSession) session).exportKeyingMaterialData(LABEL, null, BINDING_BYTES);
    }
}
