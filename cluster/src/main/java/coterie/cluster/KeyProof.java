// SPDX-License-Identifier: Apache-2.0
package coterie.cluster;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// The proofs by which both ends of a connection show that they have the secret of a job, without sending it:
///
/// ```
///  coordinator                                           PE
///     │  CHALLENGE: nonce c                     ─────►    │
///     │  ◄─────   PROOF: nonce p, HMAC(secret, "PE", c, p) │
///     │  WELCOME: HMAC(secret, "coordinator", c, p) ────► │
/// ```
///
/// The role is part of the proof, so that neither end can send the other's proof back. The HMAC is HMAC-SHA256. On an
/// encrypted connection each HMAC also has the [coterie.spi.Encryption#binding] of the connection at its end.
final class KeyProof {
    static final int NONCE_BYTES = 32;
    static final int PROOF_BYTES = 32;

    private static final String ALGORITHM = "HmacSHA256";

    /// The ends of a connection.
    enum Role {
        PE,
        COORDINATOR
    }

    private KeyProof() {}

    /// Returns a nonce that no connection has had.
    static byte[] nonce() {
        byte[] nonce = new byte[NONCE_BYTES];
        new SecureRandom().nextBytes(nonce);
        return nonce;
    }

    /// @param binding of an encrypted connection; empty for another
    static byte[] of(Role role, byte[] secret, byte[] coordinatorNonce, byte[] peNonce, byte[] binding) {
        Mac mac = keyed(secret);
        mac.update(("coterie " + role.name() + "\n").getBytes(StandardCharsets.US_ASCII));
        mac.update(coordinatorNonce);
        mac.update(peNonce);
        return mac.doFinal(binding);
    }

    /// Returns the key of a purpose, which tells nothing of the secret. No proof has the same text.
    static byte[] derivedKey(byte[] secret, String purpose) {
        return keyed(secret).doFinal(("coterie key " + purpose).getBytes(StandardCharsets.UTF_8));
    }

    private static Mac keyed(byte[] secret) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret, ALGORITHM));
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("each JDK has " + ALGORITHM, e);
        }
    }

    /// Returns whether a proof is right, in a time that does not depend on the bytes of the proof.
    static boolean isRight(
            byte[] proof, Role role, byte[] secret, byte[] coordinatorNonce, byte[] peNonce, byte[] binding) {
        return MessageDigest.isEqual(of(role, secret, coordinatorNonce, peNonce, binding), proof);
    }
}
