"""Values of the structs that lines are made of, for hypothesis."""

from __future__ import annotations

import types
from collections.abc import Mapping
from typing import Any, Union, get_args, get_origin, get_type_hints

import msgspec
from hypothesis import strategies as st

from events.kinds import Counter, Phase, Zone

INTS = st.integers(-(2**53), 2**53)
JSON = st.recursive(
    st.none() | st.booleans() | INTS | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=6,
)
PLAIN = {
    int: INTS,
    str: st.text(),
    bool: st.booleans(),
    type(None): st.none(),
    Any: JSON,
    msgspec.Raw: JSON.map(lambda value: msgspec.Raw(msgspec.json.encode(value))),
}


def values_of(annotation: Any, plain: Mapping[Any, st.SearchStrategy[Any]] = PLAIN) -> st.SearchStrategy[Any]:
    """Values of an annotation as kinds.py uses them; `plain` gives those of types that are no structs."""
    if annotation in plain:
        return plain[annotation]
    origin, args = get_origin(annotation), get_args(annotation)
    if origin in (types.UnionType, Union):
        return st.one_of(*(values_of(a, plain) for a in args))
    if origin is dict:
        return st.dictionaries(values_of(args[0], plain), values_of(args[1], plain), max_size=3)
    if origin is tuple and args[-1] is ...:
        declared = args[0] in (str, Zone, Counter, Phase)  # no word stands twice in a rulebook line
        once = (lambda value: getattr(value, "name", value)) if declared else None
        return st.lists(values_of(args[0], plain), max_size=4, unique_by=once).map(tuple)
    if origin is tuple:
        return st.tuples(*(values_of(a, plain) for a in args))
    hints = get_type_hints(annotation)
    return st.builds(annotation, **{name: values_of(hints[name], plain) for name in annotation.__struct_fields__})
