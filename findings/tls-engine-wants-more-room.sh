#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# JDK 25 (seen with Temurin 25.0.3+9): how much room SSLEngine.unwrap wants for the bytes of a TLS 1.3 record.
#
# Input: two engines of one process shake hands; one wraps 100 bytes, and the other unwraps the record, or a part of
# it, to a buffer.
#
# Behaviour seen:
#   1. The record has 138 bytes: header 5, data 100, type 1, padding 16, tag 16. The padding says nothing of the length
#      of the data, since it is always 16.
#   2. The engine wants room for data, type and padding: 117 bytes. A buffer of just 100 bytes, which is what the data
#      need, is BUFFER_OVERFLOW.
#   3. It asks for room before it asks for bytes: with a part of the record, even of its header, and a buffer that is too
#      small, the answer is BUFFER_OVERFLOW and not BUFFER_UNDERFLOW. With less than a header it wants room for the
#      largest record.
# So a payload can't be decrypted straight to a target of its own size, its last record at least; and a loop that takes
# BUFFER_OVERFLOW as "a whole record is here" takes bytes for a record that have not arrived.
#
# Needs a JDK 25 in JAVA_HOME. Fails if the behaviour changes.
set -euo pipefail
java=${JAVA_HOME:?a JDK 25}/bin/java
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$java" -version 2>&1 | head -1
"$JAVA_HOME/bin/keytool" -genkeypair -alias key -keyalg EC -storetype PKCS12 -keystore keys -storepass secret \
  -dname CN=test -validity 3650 2>log
cat >Room.java <<'JAVA'
import java.io.FileInputStream;
import java.nio.ByteBuffer;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.TrustManagerFactory;

public class Room {
    static final int LARGEST = 1 << 16;

    static void shakeHands(SSLEngine engine, ByteBuffer in, ByteBuffer out) throws Exception {
        while (true) {
            switch (engine.getHandshakeStatus()) {
                case NEED_TASK -> engine.getDelegatedTask().run();
                case NEED_WRAP -> engine.wrap(ByteBuffer.allocate(0), out);
                case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                    Status status = engine.unwrap(in.flip(), ByteBuffer.allocate(LARGEST)).getStatus();
                    in.compact();
                    if (status == Status.BUFFER_UNDERFLOW) {
                        return;
                    }
                }
                default -> {
                    return;
                }
            }
        }
    }

    static Status unwrap(SSLEngine engine, ByteBuffer record, int bytes, int room) throws Exception {
        return engine.unwrap(record.duplicate().limit(bytes), ByteBuffer.allocate(room)).getStatus();
    }

    public static void main(String[] arguments) throws Exception {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (FileInputStream file = new FileInputStream("keys")) {
            keys.load(file, "secret".toCharArray());
        }
        KeyManagerFactory mine = KeyManagerFactory.getInstance("PKIX");
        mine.init(keys, "secret".toCharArray());
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("key", keys.getCertificate("key"));
        TrustManagerFactory its = TrustManagerFactory.getInstance("PKIX");
        its.init(trusted);
        SSLContext context = SSLContext.getInstance("TLSv1.3");
        context.init(mine.getKeyManagers(), its.getTrustManagers(), null);
        SSLEngine client = context.createSSLEngine();
        SSLEngine server = context.createSSLEngine();
        client.setUseClientMode(true);
        server.setUseClientMode(false);
        client.beginHandshake();
        server.beginHandshake();
        ByteBuffer toServer = ByteBuffer.allocate(LARGEST);
        ByteBuffer toClient = ByteBuffer.allocate(LARGEST);
        for (int i = 0; i < 10; i++) {
            shakeHands(client, toClient, toServer);
            shakeHands(server, toServer, toClient);
        }
        toClient.flip();
        while (toClient.hasRemaining()) { // tickets of the session
            client.unwrap(toClient, ByteBuffer.allocate(LARGEST));
        }
        ByteBuffer record = ByteBuffer.allocate(LARGEST);
        server.wrap(ByteBuffer.wrap(new byte[100]), record);
        int bytes = record.flip().remaining();
        System.out.println("100 bytes make a record of " + bytes);
        System.out.println("3 bytes of it, room for 1000: " + unwrap(client, record, 3, 1000));
        System.out.println("5 bytes of it, room for 100: " + unwrap(client, record, 5, 100));
        System.out.println("5 bytes of it, room for 117: " + unwrap(client, record, 5, 117));
        System.out.println("all of it, room for 100: " + unwrap(client, record, bytes, 100));
        System.out.println("all of it, room for 116: " + unwrap(client, record, bytes, 116));
        System.out.println("all of it, room for 117: " + unwrap(client, record, bytes, 117));
    }
}
JAVA
cat >expected <<'T'
100 bytes make a record of 138
3 bytes of it, room for 1000: BUFFER_OVERFLOW
5 bytes of it, room for 100: BUFFER_OVERFLOW
5 bytes of it, room for 117: BUFFER_UNDERFLOW
all of it, room for 100: BUFFER_OVERFLOW
all of it, room for 116: BUFFER_OVERFLOW
all of it, room for 117: OK
T
"$java" Room.java >seen
cat seen
diff expected seen >&2 || { echo "changed: the room that the engine wants" >&2; exit 1; }
