"""What a tool is, before the protocol's words for it."""

from dataclasses import dataclass, field

from minirag_mcp.shell import schemas


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One argument of a tool; `kind` is its JSON type."""

    name: str
    description: str
    kind: str = "string"
    required: bool = False
    minimum: int | None = None
    maximum: int | None = None
    default: int | None = None
    choices: tuple[str, ...] = ()
    longest: int | None = None
    may_be_empty: bool = False

    def schema(self) -> schemas.Schema:
        """Its JSON schema: one plain type, never a union."""
        limits = {
            "minimum": self.minimum,
            "maximum": self.maximum,
            "default": self.default,
            "enum": list(self.choices) or None,
            "minLength": 1 if self.kind == "string" and self.required and not self.may_be_empty else None,
            "maxLength": self.longest,
        }
        given = {name: value for name, value in limits.items() if value is not None}
        return {"type": self.kind, "description": self.description, **given}


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One tool; the flags are the protocol's annotations."""

    name: str
    title: str
    description: str
    output: schemas.Schema
    parameters: tuple[Parameter, ...] = ()
    read_only: bool = True
    destructive: bool = False
    idempotent: bool = True
    open_world: bool = False
    names: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", frozenset(parameter.name for parameter in self.parameters))

    def input_schema(self) -> schemas.Schema:
        """Flat object schema that refuses unknown arguments."""
        return {
            "type": "object",
            "properties": {parameter.name: parameter.schema() for parameter in self.parameters},
            "required": [parameter.name for parameter in self.parameters if parameter.required],
            "additionalProperties": False,
        }
