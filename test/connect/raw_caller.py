"""A client that sends any bytes, and the tests of what a server takes from such clients.

Real server, real gRPC. MERGANSER_SLOW_TESTS in the environment adds the long ones.
"""

import os
import time
import unittest
import uuid

os.environ["SPARK_CONNECT_MODE_ENABLED"] = "1"

import grpc
import pyspark.sql.connect.proto as wire
import pyspark.sql.connect.proto.base_pb2_grpc as calls

from server import serving

SERVICE = "/spark.connect.SparkConnectService/"
UNARY = ["AnalyzePlan", "Config", "ArtifactStatus", "Interrupt", "ReleaseExecute", "ReleaseSession",
         "FetchErrorDetails", "CloneSession", "GetStatus"]
STREAMING = ["ExecutePlan", "ReattachExecute"]
PATIENCE_SECONDS = 120
slow = unittest.skipUnless(os.environ.get("MERGANSER_SLOW_TESTS"), "a slow test")


def new_id():
    return str(uuid.uuid4())


def varint(number):
    out = b""
    while number >= 0x80:
        out += bytes([number & 0x7F | 0x80])
        number >>= 7
    return out + bytes([number])


def field(number, content):
    """A field of bytes, or of a message, as protobuf has it on the wire."""
    return varint(number << 3 | 2) + varint(len(content)) + content


class Caller:
    """A channel without Spark's client on it; `session` is its session's id."""

    def __init__(self, server):
        # A channel of its own: channels with equal options share a connection.
        self.channel = grpc.insecure_channel(f"localhost:{server.port}", options=[
            ("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1),
            ("grpc.use_local_subchannel_pool", 1)])
        self.stub = calls.SparkConnectServiceStub(self.channel)
        self.session = new_id()

    def close(self):
        self.channel.close()

    def raw(self, method, message):
        """Send bytes as they are; the bytes of the answers."""
        if method in STREAMING:
            return list(self.channel.unary_stream(SERVICE + method)(message, timeout=PATIENCE_SECONDS))
        if method == "AddArtifacts":
            return [self.channel.stream_unary(SERVICE + method)(iter([message]), timeout=PATIENCE_SECONDS)]
        return [self.channel.unary_unary(SERVICE + method)(message, timeout=PATIENCE_SECONDS)]

    def plan(self, root=None, sql=None, operation=None, reattachable=False, **fields):
        request = wire.ExecutePlanRequest(session_id=self.session, operation_id=operation or new_id(), **fields)
        if sql is not None:
            request.plan.command.sql_command.input.sql.query = sql
        elif root is not None:
            request.plan.root.CopyFrom(root)
        if reattachable:
            request.request_options.add().reattach_options.reattachable = True
        return request

    def run(self, sql):
        """The answers to a command."""
        return list(self.stub.ExecutePlan(self.plan(sql=sql), timeout=PATIENCE_SECONDS))

    def rows(self, sql):
        """How many rows a query gives, and the value of the first row's first cell if it is a number."""
        import pyarrow
        root = wire.Relation()
        root.sql.query = sql
        batches = [answer.arrow_batch for answer in self.stub.ExecutePlan(self.plan(root), timeout=PATIENCE_SECONDS)
                   if answer.HasField("arrow_batch")]
        tables = [pyarrow.ipc.open_stream(batch.data).read_all() for batch in batches]
        return [tuple(row.values()) for table in tables for row in table.to_pylist()]

    def config(self, **fields):
        request = wire.ConfigRequest(session_id=self.session, **fields)
        request.operation.get.keys.append("spark.sql.session.timeZone")
        return self.stub.Config(request)

    def release(self):
        self.stub.ReleaseSession(wire.ReleaseSessionRequest(session_id=self.session))


class AbuseTest(unittest.TestCase):
    """A server for each class of tests; it must live and be of use after each test."""

    options = ()

    @classmethod
    def setUpClass(cls):
        cls.serving = serving(*cls.options)
        cls.server = cls.serving.__enter__()

    @classmethod
    def tearDownClass(cls):
        cls.serving.__exit__(None, None, None)

    def setUp(self):
        self.callers = []

    def tearDown(self):
        self.assertIsNone(self.server.process.poll(), "the server has ended")
        self.assertEqual(self.caller().rows("SELECT 41 + 1"), [(42,)])
        for caller in self.callers:
            caller.release()
            caller.close()
        self.until(lambda: self.server.metric("operations_running") == 0)

    def caller(self):
        self.callers.append(Caller(self.server))
        return self.callers[-1]

    def until(self, condition):
        """Ask again until `condition` holds; each question is a round trip to the server."""
        end = time.monotonic() + PATIENCE_SECONDS
        while not condition():
            self.assertLess(time.monotonic(), end, "took too long")

    def failure(self, call):
        with self.assertRaises(grpc.RpcError) as raised:
            call()
        return raised.exception


def relation(**fields):
    return wire.Relation(**fields)
