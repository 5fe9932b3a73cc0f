"""What recordings say of the match beside them."""

from pathlib import Path

from hexboard.record.beside import claims
from hexboard.record.recording import Recorder


def test_a_recording_that_does_not_say_when_it_began_is_an_old_one(tmp_path: Path) -> None:
    """A power cut can leave so little that nothing is known of it but its name."""
    path = tmp_path / "m.mcap"
    Recorder(path, schemas={}, attachments={}, metadata={}, trouble=lambda _: None).close()
    (tmp_path / "m+1.mcap").write_bytes(path.read_bytes()[:20])
    assert {said.path.name for said in claims(tmp_path, "m")} == {"m.mcap", "m+1.mcap"}
