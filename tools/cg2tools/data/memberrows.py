"""A type as rows: its members, nested as they are declared, and the holes between them.

    rows = MemberRows(type)
    rows.rows[rows.at(12)]        the innermost member that has byte 12, or the hole
"""

from cg2tools.data.layout import Member, Row, Type

_DEPTH_MAX = 8
_ROWS_MAX = 2000
"""The most rows of a type: a larger one is shown without what its members consist of."""


class MemberRows:
    """The rows of a type, and which of them has a byte."""

    def __init__(self, type: Type) -> None:
        self.type = type
        self.rows: list[Row] = []
        """Each has the line that declares it in the type's own file, or that of the row it is in."""
        inside = _inside(type)
        self._file = inside.file if inside else ""
        self.parents: list[int] = []
        """Which row each row is in; -1: in none."""
        if type.members:
            self._add_members(type, 0, "", 0, -1)
        else:
            self._add_element(type, 0, "", 0, -1)
        if not self.rows:
            self._add(Row(0, 0, type.size, "", "", type.name, type.line, False, True), -1)

    def _add(self, row: Row, parent: int) -> int:
        self.rows.append(row)
        self.parents.append(parent)
        return len(self.rows) - 1

    def _add_members(self, type: Type, start: int, path: str, depth: int, parent: int) -> None:
        end = 0
        for member in type.members:
            if _is_empty_base(member):
                continue
            if member.offset > end:
                self._add_hole(start + end, member.offset - end, depth, parent)
            self._add_member(member, start, path, depth, parent)
            end = max(end, member.offset + member.size)
        if end < type.size:
            self._add_hole(start + end, type.size - end, depth, parent)

    def _add_hole(self, offset: int, size: int, depth: int, parent: int) -> None:
        self._add(Row(depth, offset, size, "", "", "", 0, True, True), parent)

    def _add_member(self, member: Member, start: int, path: str, depth: int, parent: int) -> None:
        whole = f"{path}.{member.name}" if path and member.name else path or member.name
        has_inside = bool(_inside(member.type)) and depth < _DEPTH_MAX
        has_inside = has_inside and len(self.rows) < _ROWS_MAX
        name = member.type.name
        line = self.rows[parent].line if parent >= 0 else self.type.line
        if member.file in ("", self._file):
            line = member.line
        row = Row(
            *(depth, start + member.offset, member.size, member.name, whole, name),
            *(line, False, not has_inside),
        )
        number = self._add(row, parent)
        if has_inside:
            self._add_element(member.type, start + member.offset, whole, depth + 1, number)

    def _add_element(self, type: Type, start: int, path: str, depth: int, parent: int) -> None:
        """Add what a type consists of, of an array its first element."""
        inside = _inside(type)
        if inside:
            self._add_members(inside, start, path, depth, parent)

    def at(self, offset: int) -> int:
        """The number of the innermost row that has a byte of the type; -1: none."""
        offset = folded(self.type, offset)
        return self._within(-1, 0, offset, self.type)

    def _within(self, parent: int, first: int, offset: int, type: Type) -> int:
        """The row below `parent`, in those from number `first`, that has a byte."""
        base = self.rows[parent].offset if parent >= 0 else 0
        size = _inside_size(type)
        if size:
            offset = base + (offset - base) % size
        found = -1
        for number in range(first, len(self.rows)):
            if self.parents[number] < parent:
                break
            row = self.rows[number]
            if self.parents[number] != parent or not self._has(row, offset):
                continue
            found = number
            if not row.is_hole:
                break
        if found < 0 or self.rows[found].is_leaf:
            return found if found >= 0 else parent
        member = self._member_type(type, self.rows[found], base)
        return self._within(found, found + 1, offset, member) if member else found

    def _has(self, row: Row, offset: int) -> bool:
        """A member without a size has what is behind it if it is an array; others, as Rust's markers, have
        nothing."""
        is_open = not row.size and row.type_name.endswith("]")
        return row.offset <= offset and (offset < row.offset + row.size or is_open)

    def _member_type(self, type: Type, row: Row, base: int) -> Type | None:
        inside = _inside(type)
        for member in inside.members if inside else ():
            if member.name == row.name and base + member.offset == row.offset:
                return member.type
        return None


def _is_empty_base(member: Member) -> bool:
    """Whether it is a class without members, which shares its one byte with what comes behind."""
    return member.name.startswith("<base> ") and not member.type.members


def _inside(type: Type) -> Type | None:
    """The type with members that a type is, or that its elements are."""
    for _ in range(_DEPTH_MAX):
        if type.members:
            return type
        if type.element is None:
            return None
        type = type.element
    return None


def _inside_size(type: Type) -> int:
    """How many bytes the elements have that an array's members are in; 0: it is no array."""
    inside = _inside(type)
    return inside.size if inside and inside is not type else 0


def flexible(type: Type) -> Member | None:
    """The array at the end of a type that has as many elements as there is room for."""
    last = type.members[-1] if type.members else None
    is_open = last and last.type.element and last.type.count <= (last.offset > 0)
    return last if is_open else None


def folded(type: Type, offset: int) -> int:
    """An offset in an array of a type as that in one of them; in a flexible array, in its first element."""
    end = flexible(type)
    if end and end.type.element and offset >= end.offset:
        size = end.type.element.size or 1
        return end.offset + (offset - end.offset) % size
    return offset % type.size if type.size else offset


def holds(type: Type, name: str, size: int, offset: int) -> bool:
    """Whether a type has another, by its name and its size, at an offset."""
    for _ in range(_DEPTH_MAX):
        if type.element is not None:
            offset = offset % type.element.size if type.element.size else offset
            type = type.element
        if (type.name, type.size) == (name, size) and offset == 0:
            return True
        if not type.members:
            return False
        if len(inner := _members_at(type, offset)) > 1:
            return any(holds(one.type, name, size, offset - one.offset) for one in inner)
        if not inner:
            return False
        type, offset = inner[0].type, offset - inner[0].offset
    return False


def _members_at(type: Type, offset: int) -> list[Member]:
    return [
        member
        for member in type.members
        if member.offset <= offset
        and (offset < member.offset + member.size or member is flexible(type))
    ]
