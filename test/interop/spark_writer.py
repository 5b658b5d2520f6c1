"""delta-spark as one of many writers (runs in .deps/spark).

Reads lines of JSON, each a list of statements, and answers each by a line: "committed",
"conflict" or "failed: " and why.
"""

import json
import sys

from delta_spark import open_session


def outcome_of(spark, statements):
    try:
        for statement in statements:
            spark.sql(statement)
        return "committed"
    except Exception as error:  # pylint: disable=broad-except
        return "conflict" if "DELTA_CONCURRENT" in str(error) else f"failed: {error}"


def main():
    # Whatever else is printed must not come between the answers.
    answers, sys.stdout = sys.stdout, sys.stderr
    spark = open_session()
    print("ready", file=answers, flush=True)
    for line in sys.stdin:
        print(json.dumps(outcome_of(spark, json.loads(line))), file=answers, flush=True)
    spark.stop()


if __name__ == "__main__":
    main()
