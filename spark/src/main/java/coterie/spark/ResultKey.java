// SPDX-License-Identifier: Apache-2.0
package coterie.spark;

import java.io.Serializable;
import org.apache.spark.Partitioner;
import scala.Tuple2;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;
import scala.runtime.AbstractFunction1;

/// Numbers of results: the partition, then the place in it. By them results pass through a shuffle and keep their
/// partitions and their order.
final class ResultKey extends Partitioner {
    private static final long serialVersionUID = 1;

    /// Bits of the place: 8 · 10^12 results of a partition, and 2^20 partitions.
    private static final int PLACE_BITS = 43;

    private final int partitions;

    ResultKey(int partitions) {
        this.partitions = partitions;
    }

    /// Returns results with their keys.
    static <R> Iterator<Tuple2<Long, R>> number(int partition, Iterator<R> results) {
        return new AbstractIterator<>() {
            private long next = (long) partition << PLACE_BITS;

            @Override
            public boolean hasNext() {
                return results.hasNext();
            }

            @Override
            public Tuple2<Long, R> next() {
                return new Tuple2<>(next++, results.next());
            }
        };
    }

    @Override
    public int numPartitions() {
        return partitions;
    }

    @Override
    public int getPartition(Object key) {
        return (int) ((Long) key >>> PLACE_BITS);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ResultKey that && partitions == that.partitions;
    }

    @Override
    public int hashCode() {
        return partitions;
    }

    /// Takes the key off.
    static final class Value<R> extends AbstractFunction1<Tuple2<Long, R>, R> implements Serializable {
        private static final long serialVersionUID = 1;

        @Override
        public R apply(Tuple2<Long, R> keyed) {
            return keyed._2();
        }
    }
}
