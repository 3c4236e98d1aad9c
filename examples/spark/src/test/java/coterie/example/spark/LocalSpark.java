// SPDX-License-Identifier: Apache-2.0
package coterie.example.spark;

import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/// Spark with two threads in this JVM, for all classes of tests; it ends with the JVM.
final class LocalSpark {
    private static final JavaSparkContext CONTEXT = new JavaSparkContext(new SparkConf()
            .setMaster("local[2]")
            .setAppName("comparison")
            .set("spark.ui.enabled", "false")
            .set("spark.driver.host", "127.0.0.1")
            .set("spark.sql.codegen.wholeStage", "false") // compiling takes longer than so few rows
            .set("spark.sql.warehouse.dir", "target/spark-warehouse"));

    private LocalSpark() {}

    static JavaSparkContext context() {
        return CONTEXT;
    }

    /// Returns rows with the columns `features` and `label`.
    static Dataset<Row> dataset(SampleRows samples) {
        StructType type =
                new StructType().add("features", SQLDataTypes.VectorType()).add("label", DataTypes.DoubleType);
        List<Row> rows = IntStream.range(0, samples.count())
                .mapToObj(row -> RowFactory.create(Vectors.dense(samples.row(row)), samples.labels()[row]))
                .toList();
        return SparkSession.builder()
                .sparkContext(CONTEXT.sc())
                .getOrCreate()
                .createDataFrame(CONTEXT.parallelize(rows, 2), type);
    }
}
