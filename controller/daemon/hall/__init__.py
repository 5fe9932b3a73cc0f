"""A hall of boards: what each board tells a NATS JetStream stream, and the wall that reads it.

docs/hall.md. Each board is whole without it.
"""

from hexboard.daemon.hall.hub import Hub, compared

__all__ = ["Hub", "compared"]
