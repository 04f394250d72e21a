"""From a result back to the keywords that it is of."""

import json
from collections.abc import Mapping
from typing import Any

from cellstats import _native
from cellstats._native import UsageError
from cellstats.page.scene import BuiltIn, Described

_KEYWORDS = {"size_bytes": "size", "stride_bytes": "stride"}
"""Keywords of what a recipe calls by its column."""
_USUAL = {"memory": "0", "seed": 0, "spes": 0}
"""What recipes say where nobody asked for it."""


def machine_of(recipe: Mapping[str, Any], given: Described | None) -> Described:
    """The machine of a recipe, by its name if none is given. Raises UsageError for another one."""
    name, found = recipe["machine"], given
    if found is None and name in _native.machine_names():
        found = BuiltIn.named(name)
    if found is None or found.native.hash != recipe["machine_hash"]:
        raise UsageError(
            f"machine: this result is of another {name!r}; give the one that it was measured on"
        )
    return found


def parameters_of(recipe: Mapping[str, Any]) -> dict[str, Any]:
    """Keywords of `Machine.measure` that give a result with this recipe.

    >>> named = {"size_bytes": 128, "spes": 2, "placement": [4, 5, 0, 1], "seed": 0}
    >>> parameters_of({"machine": "ps3", "parameters": named})
    {'size': 128, 'spes': 2, 'placement': [4, 5]}
    """
    known = recipe["parameters"]
    # All SPEs in their order, those that take part first.
    parameters = known | {"placement": known["placement"][: known["spes"]] or None}
    if parameters.get("pattern") is not None:
        from cellstats.placement.pattern_files import from_json

        parameters["pattern"] = from_json(json.dumps(parameters["pattern"]), "pattern")
    return {
        _KEYWORDS.get(key, key): value
        for key, value in parameters.items()
        if value is not None and value != _USUAL.get(key)
    }
