"""Plans drawn at random from the protocol's own description: each is answered or refused, and none ends the server.

usage: plan_fuzzer_test.py [SEED [COUNT]]
"""

import random
import sys
import unittest

import grpc
import pyspark.sql.connect.proto as wire
from google.protobuf.descriptor import FieldDescriptor as Field

from raw_caller import AbuseTest

SEED, COUNT = 7, 600
SECONDS = 20

TEXTS = ["id", "a", "b", "", "s.x", "`a`", "*", "sum", "count", "+", "==", "range", "explode", "row_number", "when",
         "SELECT 1 AS id", "SELECT id, 'x' AS a, named_struct('x', 1) AS s FROM range(3)", "int", "array<int>",
         "a INT, b STRING", "delta", "parquet", "nope", "key", "value", "true", "1", "é", "\u0000"]
NUMBERS = [-1, 0, 1, 2, 3, 7, 100]
# Messages that read what others left, or whose refusal other tests see to.
LEFT_OUT = {"extension", "cached_local_relation", "cached_remote_relation", "chunked_cached_local_relation"}


def draw_leaf(dice, message):
    """A relation or an expression that most likely means something; false for any other message."""
    name = message.DESCRIPTOR.name
    if name == "Relation":
        if dice.random() < 0.5:
            message.range.end, message.range.step = dice.choice((0, 1, 5)), 1
        else:
            message.sql.query = dice.choice(("SELECT 1 AS id, 'x' AS a", "SELECT id, 'x' AS a, named_struct('x', 1) AS s, "
                                             "array(id) AS b FROM range(3)", "SHOW TABLES"))
    elif name == "Expression":
        if dice.random() < 0.7:
            message.unresolved_attribute.unparsed_identifier = dice.choice(("id", "id", "a", "b", "s.x", "s", "nope"))
        elif dice.random() < 0.7:
            message.literal.integer = dice.choice(NUMBERS)
        else:
            message.literal.string = dice.choice(TEXTS)
    return name in ("Relation", "Expression")


def draw(dice, message, depth):
    """Set some fields of `message`, at most `depth` messages inside of each other."""
    if (depth <= 0 or dice.random() < 0.15) and dice.random() < 0.95 and draw_leaf(dice, message):
        return
    for oneof in message.DESCRIPTOR.oneofs:
        fields = [field for field in oneof.fields if field.name not in LEFT_OUT]
        if depth <= 0:
            fields = [field for field in fields if field.type != Field.TYPE_MESSAGE or dice.random() < 0.1]
        if fields and (len(fields) > 1 or dice.random() < 0.6):
            draw_field(dice, message, dice.choice(fields), depth)
    for field in message.DESCRIPTOR.fields:
        if field.containing_oneof is None and field.name not in LEFT_OUT:
            wanted = 0.95 if field.name in ("input", "left", "right") else 0.1 if field.name == "common" else 0.6
            if dice.random() < wanted and (depth > 0 or field.type != Field.TYPE_MESSAGE):
                draw_field(dice, message, field, depth)


def draw_field(dice, message, field, depth):
    kind = field.message_type
    if field.is_repeated:
        if kind is not None and kind.GetOptions().map_entry:
            return
        target = getattr(message, field.name)
        for _ in range(dice.choice((0, 1, 1, 2, 3))):
            if kind is not None:
                draw(dice, target.add(), depth - 1)
            else:
                target.append(scalar(dice, field))
    elif kind is not None:
        child = getattr(message, field.name)
        child.SetInParent()
        draw(dice, child, depth - 1)
    else:
        setattr(message, field.name, scalar(dice, field))


def scalar(dice, field):
    if field.type == Field.TYPE_STRING:
        return dice.choice(TEXTS)
    if field.type == Field.TYPE_BYTES:
        return dice.choice((b"", b"x", b"\xff\xff\xff\xff\0\0\0\0"))
    if field.type == Field.TYPE_BOOL:
        return dice.random() < 0.5
    if field.type in (Field.TYPE_DOUBLE, Field.TYPE_FLOAT):
        return dice.choice((-1.0, 0.0, 0.5, 1.0, 3.0, float("nan"), float("inf")))
    if field.type == Field.TYPE_ENUM:
        return dice.choice(field.enum_type.values).number
    number = dice.choice(NUMBERS)
    return abs(number) if field.type in (Field.TYPE_UINT32, Field.TYPE_UINT64) else number


class PlanFuzzerTest(AbuseTest):
    def test_no_plan_ends_the_server(self):
        caller = self.caller()
        answered = refused = 0
        for number in range(COUNT):
            dice = random.Random(f"{SEED}/{number}")
            plan = wire.Plan()
            draw(dice, plan.root, dice.randint(2, 7))
            for ask in (self.analyze, self.execute):
                try:
                    ask(caller, plan)
                    answered += 1
                except grpc.RpcError as error:
                    self.assertNotEqual(error.code(), grpc.StatusCode.UNAVAILABLE, f"{SEED}/{number}: {plan}")
                    self.assertNotEqual(error.code(), grpc.StatusCode.DEADLINE_EXCEEDED, f"{SEED}/{number}: {plan}")
                    self.assertNotIn("INTERNAL_ERROR]", error.details(), f"{SEED}/{number}: {plan}")
                    refused += 1
        self.assertGreater(answered, COUNT // 20)
        print(f"\n{COUNT} plans of seed {SEED}: {answered} answered, {refused} refused", file=sys.stderr)

    @staticmethod
    def analyze(caller, plan):
        request = wire.AnalyzePlanRequest(session_id=caller.session)
        request.schema.plan.CopyFrom(plan)
        caller.stub.AnalyzePlan(request, timeout=SECONDS)

    @staticmethod
    def execute(caller, plan):
        for _ in caller.stub.ExecutePlan(caller.plan(plan.root), timeout=SECONDS):
            pass


if __name__ == "__main__":
    if len(sys.argv) > 1:
        SEED = int(sys.argv.pop(1))
    if len(sys.argv) > 1:
        COUNT = int(sys.argv.pop(1))
    unittest.main()
