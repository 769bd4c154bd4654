"""What types look like in memory: members, where each begins, and how large it is."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class Type:
    """A type as debug information has it."""

    name: str  # "struct node", "ns::Tree<int>"
    size: int  # bytes
    file: str = ""  # that declares it; "": nothing says
    line: int = 0
    members: list["Member"] = field(default_factory=list)
    """In order of offset; none of a scalar or a pointer."""
    element: "Type | None" = None
    """What an array consists of."""
    count: int = 0
    """How many of them; 0: as many as there is room for."""


@dataclass(slots=True)
class Member:
    """A member of a structure, union or class; or a base of that."""

    name: str  # "": anonymous; "<base> Shape"; "flags:3" of bits
    offset: int  # bytes, as the size
    size: int  # of a bit field: the bytes that hold it
    bit_offset: int
    bit_size: int  # 0: no bit field
    type: Type
    file: str
    line: int


@dataclass(slots=True)
class Row:
    """A line of a layout as it is printed: a member, or a hole between two."""

    depth: int  # 0: a member of the type itself
    offset: int  # bytes, as the size
    size: int
    name: str
    path: str  # "place.line": the name with those of the members that it is in
    type_name: str
    line: int  # that declares it; 0: not known
    is_hole: bool
    is_leaf: bool

    def __str__(self) -> str:
        """What stands in its line: "struct node* next"."""
        if self.is_hole:
            return "(hole)"
        return f"{self.type_name} {self.name}".strip() or "(several members)"
