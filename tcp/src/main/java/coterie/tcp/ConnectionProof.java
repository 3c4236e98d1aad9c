// SPDX-License-Identifier: Apache-2.0
package coterie.tcp;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// The proofs by which both ends of a connection show that they have the key of a job, without sending it:
///
/// ```
///  initiator                                                      acceptor
///     │  HELLO: magic, its PE, the acceptor's PE, nonce     ─────►    │
///     │  ◄─────   CHALLENGE: nonce, HMAC(key, ACCEPTOR, all of below) │
///     │  PROOF: HMAC(key, INITIATOR, all of below)          ─────►    │
///     │  ◄─────   VERDICT: 1 byte                                     │
///
///  proved: HELLO │ the acceptor's nonce │ world of the acceptor │ world of the initiator │ binding
/// ```
///
/// All of it is inside of TLS where the setting ENCRYPTION says so. Then the binding is that of the connection, see
/// [coterie.spi.Encryption#binding]: a process that ends the TLS of both and passes everything on has two connections,
/// and the proof of one is wrong for the other. Otherwise it is empty.
///
/// The role is part of the proof, so that neither end can send the other's proof back. A world is 16 random bytes
/// that a PE makes for each world and publishes with its address: a proof of another world is wrong. The HMAC is
/// HMAC-SHA256.
final class ConnectionProof {
    static final int NONCE_BYTES = 32;
    static final int PROOF_BYTES = 32;
    static final int WORLD_BYTES = 16;

    private static final String ALGORITHM = "HmacSHA256";

    private final byte[] key;
    private final SecureRandom random = new SecureRandom();

    /// The ends of a connection.
    enum Role {
        INITIATOR,
        ACCEPTOR
    }

    ConnectionProof(byte[] key) {
        this.key = key.clone();
    }

    /// Returns bytes that no connection has had.
    byte[] random(int bytes) {
        byte[] made = new byte[bytes];
        random.nextBytes(made);
        return made;
    }

    byte[] of(Role role, byte[] hello, byte[] nonce, byte[] acceptorWorld, byte[] initiatorWorld, byte[] binding) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            mac.update(("coterie tcp " + role.name() + "\n").getBytes(StandardCharsets.US_ASCII));
            mac.update(hello);
            mac.update(nonce);
            mac.update(acceptorWorld);
            mac.update(initiatorWorld);
            return mac.doFinal(binding);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("each JDK has " + ALGORITHM, e);
        }
    }

    /// Returns whether a proof is right, in a time that does not depend on the bytes of the proof.
    static boolean isRight(byte[] proof, byte[] expected) {
        return MessageDigest.isEqual(proof, expected);
    }
}
