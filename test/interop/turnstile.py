"""A lock that many processes share and one takes for itself, without waiting for ever."""

import contextlib
import fcntl
import pathlib


class Turnstile:
    """Locks in a folder, for the processes that know it.

    Who wants to be alone blocks the gate, so that nobody new comes in, and waits until those
    inside have left.
    """

    def __init__(self, folder):
        self.gate = pathlib.Path(folder, "gate")
        self.room = pathlib.Path(folder, "room")

    @contextlib.contextmanager
    def together(self):
        with open(self.room, "w") as room:
            with open(self.gate, "w") as gate:
                fcntl.flock(gate, fcntl.LOCK_EX)
                fcntl.flock(room, fcntl.LOCK_SH)
            yield

    @contextlib.contextmanager
    def alone(self):
        with open(self.gate, "w") as gate, open(self.room, "w") as room:
            fcntl.flock(gate, fcntl.LOCK_EX)
            fcntl.flock(room, fcntl.LOCK_EX)
            yield
