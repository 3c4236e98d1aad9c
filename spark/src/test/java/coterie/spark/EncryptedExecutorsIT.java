// SPDX-License-Identifier: Apache-2.0
package coterie.spark;

/// Two executors as on two hosts, with Spark's encryption.
class EncryptedExecutorsIT extends ExecutorsCase {
    EncryptedExecutorsIT() {
        super(
                LocalCluster.conf(2, 1)
                        .set("spark.authenticate", "true")
                        .set("spark.authenticate.secret", "of a test")
                        .set("spark.network.crypto.enabled", "true")
                        .set("spark.coterie.conduit", "tcp"),
                2);
    }
}
