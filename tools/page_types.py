"""The types of the pages: every reply of the contract as a TypeScript interface, for the comments that tsc checks.

    python -m tools.page_types    # writes src/croupier/web/types/contract.d.ts

A house does not serve that file. A test fails if it does not match the contract.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec.inspect as types
from msgspec import UNSET, Struct, UnsetType, json, structs

from croupier import web
from croupier.contract import management, replies
from croupier.contract.lines import StandingWager
from croupier.contract.replies import Reply
from croupier.contract.shown_events import JsonRecord, OwnSign, StakeLimits
from croupier.store.receipts import Receipt

TARGET = Path(web.__file__).parent / "types" / "contract.d.ts"
HEAD = "// Made from croupier.contract by tools/page_types.py: the replies of the API, as the pages read them.\n"
PLAIN: dict[type[types.Type], str] = {
    types.StrType: "string",
    types.IntType: "number",
    types.FloatType: "number",
    types.BoolType: "boolean",
    types.NoneType: "null",
    types.DateType: "string",
    types.AnyType: "any",
}


def page_types() -> str:
    """Return the text of the file."""
    return "\n".join(
        [HEAD, *(_interface(kind) for kind in sorted({*_replies()} - {Reply}, key=lambda kind: kind.__name__))]
    )


def _replies() -> Iterator[type[Struct]]:
    yield from (Receipt, StandingWager, StakeLimits, OwnSign)
    for module in (replies, management):
        for kind in vars(module).values():
            if isinstance(kind, type) and issubclass(kind, Struct) and kind.__module__ == module.__name__:
                yield kind


def _interface(kind: type[Struct]) -> str:
    base = kind.__base__
    above = {} if base is None or base in (Reply, JsonRecord, Struct) else _fields(base)
    own = [line for name, line in _fields(kind).items() if above.get(name) != line]
    says = (kind.__doc__ or "").partition("\n")[0]
    extends = f" extends {base.__name__}" if above and base is not None else ""
    return "\n".join([f"/** {says} */", f"export interface {kind.__name__}{extends} {{", *own, "}\n"])


def _fields(kind: type) -> dict[str, str]:
    """Return the line of each field; a field that may be left out has a question mark."""
    struct = types.type_info(kind)
    assert isinstance(struct, types.StructType)
    always = not kind.__struct_config__.omit_defaults  # type: ignore[attr-defined]  # it is a struct
    lacking = {each.name for each in structs.fields(kind) if each.default is UNSET or not (each.required or always)}
    return {
        field.encode_name: f"  {field.encode_name}{'?' if field.name in lacking else ''}: {_type(field.type)};"
        for field in struct.fields
    }


def _type(of: types.Type) -> str:
    if type(of) in PLAIN:
        return PLAIN[type(of)]
    match of:
        case types.StructType(cls=kind):
            return kind.__name__
        case types.LiteralType(values=values):
            return " | ".join(json.encode(value).decode() for value in values)
        case types.UnionType(types=members):
            shown = (_type(each) for each in members if getattr(each, "cls", None) is not UnsetType)
            return " | ".join(dict.fromkeys(shown))
        case types.ListType(item_type=item) | types.VarTupleType(item_type=item):
            return f"({_type(item)})[]" if isinstance(item, types.UnionType | types.LiteralType) else f"{_type(item)}[]"
        case types.TupleType(item_types=items):
            return f"[{', '.join(map(_type, items))}]"
        case types.DictType(value_type=value):
            return f"Record<string, {_type(value)}>"
    raise TypeError(f"No page type for {of}")


if __name__ == "__main__":
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(page_types(), encoding="utf-8")
