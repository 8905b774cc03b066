"""The same check on Apache Spark: only rows move, the functions that look at them are the same."""

from mosslite.spark.engine import spark_engine
from mosslite.spark.session import Cluster, SparkError

__all__ = ["Cluster", "SparkError", "spark_engine"]
