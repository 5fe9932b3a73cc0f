"""Differences: what changed from one page state to the next, small, and how it is put back.

A difference is JSON: of an object the parts that changed, `null` where one is gone; of a list the
places that changed and, where it is not as long as before, its new `length`; a number, a word or a
list as it is now. What could be mistaken for that stands in `{"=": …}`. The page puts it back with
`merged` (`static/reel.js`); here is the same, for tests.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

WHOLE = "="
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


def _of_objects(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Difference]:
    gone: dict[str, Difference] = dict.fromkeys(before.keys() - after.keys())
    new = {key: _whole(it) for key, it in after.items() if key not in before}
    both = ((key, before[key], it) for key, it in after.items() if key in before)
    return gone | new | {key: difference(was, now) for key, was, now in both if was != now}


def _of_lists(before: list[Any], after: list[Any]) -> dict[str, Difference]:
    both = enumerate(zip(before, after, strict=False))
    parts = {str(k): difference(was, now) for k, (was, now) in both if was != now}
    longer = {str(k): _whole(after[k]) for k in range(len(before), len(after))}
    length = {} if len(before) == len(after) else {"length": len(after)}
    return length | parts | longer


def _longer(before: list[Any], changed: Mapping[str, Difference]) -> list[Any]:
    size = changed.get("length", len(before))
    after = (before + [None] * size)[:size]
    for key, part in changed.items():
        if key != "length":
            after[int(key)] = put_back(after[int(key)], part)
    return after


def _whole(it: Any) -> Difference:
    return {WHOLE: it} if it is None or isinstance(it, Mapping) else it


def _size(it: Difference) -> int:
    return len(msgspec.json.encode(it))
