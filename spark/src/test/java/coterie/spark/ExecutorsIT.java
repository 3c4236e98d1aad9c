// SPDX-License-Identifier: Apache-2.0
package coterie.spark;

/// Two executors of one machine, each with two tasks: all PEs share memory.
class ExecutorsIT extends ExecutorsCase {
    ExecutorsIT() {
        super(LocalCluster.conf(2, 2), 4);
    }
}
