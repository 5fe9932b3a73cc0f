"""The commitment of a table: what proves that the shuffle was kept."""

from msgspec.structs import replace

from hexboard.devices.dealer import Dealer
from hexboard.games import hexalma
from hexboard.table.commitment import Commitment


def test_seed_and_salt_must_be_those_of_the_hash() -> None:
    seal = Dealer().seal("a b c")
    kept = Commitment()
    assert kept.made(seal).key == "table.sealed"
    proof = kept.opens(seal.seed, seal.salt, hexalma.GAME, ())
    assert (proof.key, dict(proof.values)["hash"]) == ("table.seal_kept", seal.commitment)
    assert kept.opens(seal.seed, seal.salt + "0", hexalma.GAME, ()).key == "table.seal_broken"
    assert kept.opened


def test_a_seal_of_before_is_told_of_as_it_was_then() -> None:
    seal = replace(Dealer().seal("a b c"), again=False)
    kept = Commitment(seal)
    assert kept.again is None
    assert kept.opens(seal.seed, seal.salt, hexalma.GAME, ()).key == "table.seal_holds"


def test_who_committed_to_nothing_proves_nothing() -> None:
    assert Commitment().opens("1", "2", hexalma.GAME, ()).key == "table.seal_broken"
