// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.ECGenParameterSpec;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;

/// A certificate that a process makes for itself, for its own life: TLS demands that a server has one. It has one
/// form, that of version 1 of X.509, and nothing is read from it but its key:
///
/// ```
///  certificate   SEQUENCE: body │ algorithm │ signature of the body
///  body          SEQUENCE: serial 1 │ algorithm │ CN=coterie │ validity │ CN=coterie │ public key, on P-256
/// ```
///
/// @param key of the certificate
/// @param certificate signed by the key itself
record OwnCertificate(PrivateKey key, Certificate certificate) {
    private static final int INTEGER = 0x02;
    private static final int BIT_STRING = 0x03;
    private static final int OBJECT = 0x06;
    private static final int UTF8_STRING = 0x0C;
    private static final int UTC_TIME = 0x17;
    private static final int GENERALIZED_TIME = 0x18;
    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;

    /// 1.2.840.10045.4.3.2, ecdsa-with-SHA256.
    private static byte[] ecdsaSha256() {
        return new byte[] {0x2A, (byte) 0x86, 0x48, (byte) 0xCE, 0x3D, 4, 3, 2};
    }

    /// 2.5.4.3, commonName.
    private static byte[] commonName() {
        return new byte[] {0x55, 4, 3};
    }

    /// Clocks of hosts differ, and the key ends with the process: the certificate holds from 2000 to 9999.
    static OwnCertificate make() {
        return make("000101000000Z", "99991231235959Z");
    }

    /// @param begin of the validity, with two digits for the year
    /// @param end with four
    static OwnCertificate make(String begin, String end) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            KeyPair pair = generator.generateKeyPair();
            byte[] algorithm = value(SEQUENCE, value(OBJECT, ecdsaSha256()));
            byte[] name = value(
                    SEQUENCE,
                    value(SET, value(SEQUENCE, value(OBJECT, commonName()), value(UTF8_STRING, latin("coterie")))));
            byte[] validity = value(SEQUENCE, value(UTC_TIME, latin(begin)), value(GENERALIZED_TIME, latin(end)));
            byte[] body = value(
                    SEQUENCE,
                    value(INTEGER, new byte[] {1}),
                    algorithm,
                    name,
                    validity,
                    name,
                    pair.getPublic().getEncoded());
            Signature signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(pair.getPrivate());
            signature.update(body);
            byte[] all = value(SEQUENCE, body, algorithm, value(BIT_STRING, new byte[] {0}, signature.sign()));
            return new OwnCertificate(
                    pair.getPrivate(),
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(all)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("setting ENCRYPTION: this JDK can't make a certificate", e);
        }
    }

    private static byte[] latin(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /// Returns a value in DER: tag, length, content.
    private static byte[] value(int tag, byte[]... parts) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            content.writeBytes(part);
        }
        int length = content.size();
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.write(tag);
        if (length < 0x80) {
            all.write(length);
        } else if (length < 0x100) {
            all.write(0x81);
            all.write(length);
        } else {
            all.write(0x82);
            all.write(length >> Byte.SIZE);
            all.write(length);
        }
        all.writeBytes(content.toByteArray());
        return all.toByteArray();
    }

    KeyManager[] keyManagers() {
        return keyManagers(key, new Certificate[] {certificate});
    }

    static KeyManager[] keyManagers(PrivateKey key, Certificate[] chain) {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry("coterie", key, new char[0], chain);
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(store, new char[0]);
            return factory.getKeyManagers();
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("setting ENCRYPTION: this JDK can't keep a key in memory", e);
        }
    }
}
