"""Differences: what changed from one page state to the next, small, and how it is put back.

A difference is JSON: of an object the parts that changed, `null` where one is gone; of a list how
many are `gone` from its front or what is new in `front` of it, then its `length` where it is
another, and the places that changed; a number, a word or a list as it is now. What could be
mistaken for that stands in `{"=": …}`.
The page puts it back with `merged` (`static/differences.js`); here is the same, for tests.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import msgspec

WHOLE = "="
OF_ALL = ("gone", "front", "length")
"""What is said of a whole list, beside its places."""
NEAR = 3
"""So many of a list are looked for in the next one; the others may have changed."""
Difference = Any
"""As said above; `{}` where nothing changed."""


def difference(was: Any, now: Any) -> Difference:
    """What makes `now` of `was`."""
    if isinstance(was, Mapping) and isinstance(now, Mapping):
        return _of_objects(was, now)
    if isinstance(was, list) and isinstance(now, list):
        parts = _of_lists(was, now)
        return parts if _size(parts) < _size(now) else now
    return _whole(now)


def put_back(was: Any, changed: Difference) -> Any:
    """The state after a difference: the inverse of `difference`."""
    if not isinstance(changed, Mapping):
        return changed
    if WHOLE in changed:
        return changed[WHOLE]
    if isinstance(was, list):
        return _longer(was, changed)
    kept = {key: it for key, it in was.items() if key not in changed}
    return kept | {key: put_back(was.get(key), d) for key, d in changed.items() if d is not None}


@lru_cache(maxsize=8)
def shortest(before: str, now: str) -> str:
    """A page's state for who was sent the one `before`: `{"type":"changed","of":REV,
    "state":DIFFERENCE}`, or whole where that is shorter. Made once for all pages that are sent
    it."""
    was, state = msgspec.json.decode(before), msgspec.json.decode(now)
    told = {"type": "changed", "of": was["rev"], "state": difference(was, state)}
    return min(msgspec.json.encode(told).decode(), now, key=len)


def _of_objects(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Difference]:
    gone: dict[str, Difference] = dict.fromkeys(before.keys() - after.keys())
    new = {key: _whole(it) for key, it in after.items() if key not in before}
    both = ((key, before[key], it) for key, it in after.items() if key in before)
    return gone | new | {key: difference(was, now) for key, was, now in both if was != now}


def _of_lists(before: list[Any], after: list[Any]) -> dict[str, Difference]:
    ways = [_places(before, after)]
    if new := _shift(before, after):
        front = after[:new]
        ways.append({"front": front} | _places(front + before, after))
    elif gone := _shift(after, before):
        ways.append({"gone": gone} | _places(before[gone:], after))
    return min(ways, key=_size)


def _shift(short: list[Any], long: list[Any]) -> int:
    """How much further back in `long` lies what is at the front of `short`; 0 where that is not
    seen. Logs have the newest first, lists of moves lose the oldest."""
    for k, it in enumerate(short[:NEAR]):
        if it in long[k + 1 :]:
            return long.index(it, k + 1) - k
    return 0


def _places(before: list[Any], after: list[Any]) -> dict[str, Difference]:
    both = enumerate(zip(before, after, strict=False))
    parts = {str(k): difference(was, now) for k, (was, now) in both if was != now}
    longer = {str(k): _whole(after[k]) for k in range(len(before), len(after))}
    length = {} if len(before) == len(after) else {"length": len(after)}
    return length | parts | longer


def _longer(before: list[Any], changed: Mapping[str, Difference]) -> list[Any]:
    before = changed.get("front", []) + before[changed.get("gone", 0) :]
    size = changed.get("length", len(before))
    after = (before + [None] * size)[:size]
    for key, part in changed.items():
        if key not in OF_ALL:
            after[int(key)] = put_back(after[int(key)], part)
    return after


def _whole(it: Any) -> Difference:
    return {WHOLE: it} if it is None or isinstance(it, Mapping) else it


def _size(it: Difference) -> int:
    return len(msgspec.json.encode(it))
