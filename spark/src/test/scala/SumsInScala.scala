// SPDX-License-Identifier: Apache-2.0
import coterie.World
import coterie.spark.CoterieBarrier
import org.apache.spark.sql.SparkSession
import scala.reflect.classTag

/** A world in a program in Scala. */
object SumsInScala {
  def sums(session: SparkSession): Array[Double] = {
    val numbers = session.sparkContext.parallelize(1 to 100, 2)
    CoterieBarrier
      .run(numbers, (world: World, rows: Iterator[Int]) => Iterator(world.team.sum(rows.sum.toDouble)), classTag[Double])
      .collect()
  }
}
