# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Elements of a world file before they are bound to specs, and how they are parsed from text.

World files are often not well-formed XML. Like the parser of MVSim it accepts closing tags with a
wrong name (they close the innermost open element), several roots, and names with colons. It also
accepts raw ``<`` and bare ``&`` in attributes and text. No parser of XML takes these, so the tags
are found here.
"""

from bisect import bisect_left
import codecs
from collections.abc import Callable
from dataclasses import dataclass, field
import re

from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.world.spec import Source


@dataclass
class Node:
    """One XML element; `text` is its direct text, joined."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    text: str = ''
    children: list['Node'] = field(default_factory=list)
    source: Source = Source()
    varies: bool = False  # its class is the value of a variable, once it is evaluated

    def child(self, tag: str) -> 'Node | None':
        """Return the first child called `tag`."""
        return next((child for child in self.children if child.tag == tag), None)


@dataclass(frozen=True)
class Item:
    """
    One expanded object of the world: includes, loops, conditions and formulas are evaluated.

    `layers` are its nodes in order of precedence: instance, includes, class. Every vehicle, block,
    actor and sensor has an attribute `name` in its first layer. Relative paths in a node are
    relative to `node.source.file`.
    """

    tag: str  # 'vehicle', 'block', 'element', 'vehicle:class', ...
    layers: tuple[Node, ...]
    constant: bool = False  # the last layer is that of all instances of its class


@dataclass(frozen=True)
class ExpandedWorld:
    """An expanded world file, in file order."""

    path: str
    root: Node  # attributes of the root element
    items: tuple[Item, ...]
    variables: dict[str, str]


MAX_BYTES = 20_000_000
MAX_DEPTH = 100
MAX_ELEMENTS = 300_000

Warn = Callable[[Source, str], None]

_NAME = r'[^\W\d][\w.:-]*'
_OPEN = re.compile(rf'<({_NAME})(?=[\s/>])')
_ATTRIBUTE = re.compile(rf'\s*({_NAME})\s*=\s*("[^"]*"|\'[^\']*\')')
_END = re.compile(r'\s*(/?)>')
_FORMULA = r'\$f\{(?:(?!</|<!)[^{}\n]|\{[^{}\n]*\})*\}'  # may contain a less-than sign
_TEXT = re.compile(rf'(?:[^<$]+|<(?=[\s\d=.(+-])|{_FORMULA}|\$)+')
_NO_CHARACTER = re.compile('[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]')
_ENTITY = re.compile(r'&(?:(lt|gt|amp|quot|apos)|#0*([0-9]+)|#x0*([0-9a-fA-F]+));')
_CHARACTERS = {'lt': '<', 'gt': '>', 'amp': '&', 'quot': '"', 'apos': "'"}
_BLANKS = str.maketrans('\t\n', '  ')  # in attributes
_ENCODING = re.compile(rb'<\?xml[^>]*?encoding\s*=\s*["\']([\w.-]+)["\']')
_ENCODINGS = {'ascii', 'utf-8', 'utf-16-le', 'utf-16-be', 'iso8859-1', 'iso8859-15', 'cp1252'}
_BYTE_ORDER_MARKS = ((codecs.BOM_UTF8, 'utf-8'), (codecs.BOM_UTF16_LE, 'utf-16-le'),
                     (codecs.BOM_UTF16_BE, 'utf-16-be'))


def decode(content: bytes, file: str) -> str:
    """
    Return the text of a world file.

    A byte order mark decides the encoding, then the XML declaration; else it is UTF-8.

    :param content: bytes of the file.
    """
    if len(content) > MAX_BYTES:
        raise WorldFileError(f'{file}: the file has more than {MAX_BYTES} bytes: '
                             'split it and <include> the parts')
    declared = _ENCODING.match(content)
    encoding = declared.group(1).decode() if declared else 'utf-8'
    for mark, name in _BYTE_ORDER_MARKS:
        if content.startswith(mark):
            content, encoding = content[len(mark):], name
            break
    try:
        if codecs.lookup(encoding).name not in _ENCODINGS:
            raise LookupError
        return content.decode(encoding)
    except UnicodeError as error:
        start = error.start if isinstance(error, UnicodeDecodeError) else 0
        line = content.count(b'\n', 0, start) + 1
        raise WorldFileError(f'{file}:{line}: the file is no {encoding} text: '
                             'save it as UTF-8') from error
    except LookupError as error:
        raise WorldFileError(f'{file}:1: encoding {encoding!r} is not supported: '
                             'save the file as UTF-8') from error


def parse_nodes(text: str, file: str, warn: Warn | None = None) -> list[Node]:
    """
    Return the root elements of a world file.

    `Node.text` is the direct text of the element, joined: unlike in the original, it continues
    after a comment or a child. Comments, processing instructions and the DOCTYPE are dropped.
    """
    text = text.removeprefix('\ufeff').replace('\r\n', '\n').replace('\r', '\n')
    roots = _Reader(text, file, warn).roots()
    if not roots:
        raise WorldFileError(f'{file}:1: the file has no element: a world begins with '
                             '<mvsim_world>, an included file holds at least one element')
    return roots


class _Reader:
    """Makes nodes of a text, tag by tag."""

    def __init__(self, text: str, file: str, warn: Warn | None) -> None:
        self._text, self._file, self._warn = text, file, warn
        self._count = 0  # of elements
        self._open: list[tuple[Node, list[str]]] = [(Node(''), [])]  # each with its text so far
        self._mismatch = ''
        self._newlines = [match.start() for match in re.finditer('\n', text)]

    def roots(self) -> list[Node]:
        """Return the elements that are in no other."""
        bad = _NO_CHARACTER.search(self._text)
        if bad:
            raise self._not_allowed(bad.start(), ord(bad.group()))
        at = 0
        while at < len(self._text):
            plain = _TEXT.match(self._text, at)
            if plain is None:
                at = self._markup(at)
            else:
                self._add_text(self._decoded(plain.group(), at), at)
                at = plain.end()
        node = self._open[-1][0]
        if node.tag:
            raise WorldFileError(f'{node.source}: <{node.tag}> is never closed: '
                                 f'add </{node.tag}>{self._mismatch}')
        return node.children

    def _decoded(self, text: str, at: int) -> str:
        """Return text that begins at a place, with characters instead of entities."""
        def character(entity: re.Match[str]) -> str:
            name, decimal, hexadecimal = entity.groups()
            if name:
                return _CHARACTERS[name]
            code = int(decimal[:9]) if decimal else int(hexadecimal[:9], 16)
            if code > 0x10ffff or _NO_CHARACTER.match(chr(code)):
                raise self._not_allowed(at + entity.start(), code)
            return chr(code)

        return _ENTITY.sub(character, text) if '&' in text else text

    def _not_allowed(self, at: int, code: int) -> WorldFileError:
        return self._error(at, f'character U+{code:04X} is not allowed: is this a text file?')

    def _add_text(self, text: str, at: int) -> None:
        if len(self._open) == 1 and text.strip():
            at += len(text) - len(text.lstrip())
            raise self._error(at, f'text {text.split()[0][:30]!r} outside of any element: '
                              'a file holds elements only')
        self._open[-1][1].append(text)

    def _markup(self, at: int) -> int:
        """Read what begins at a place and return where it ends."""
        text = self._text
        if text.startswith('<!--', at):
            return self._find(at, '-->', 'comment')
        if text.startswith('<?', at):
            return self._find(at, '?>', 'processing instruction')
        if text.startswith('<![CDATA[', at):
            end = self._find(at, ']]>', 'CDATA section')
            self._add_text(text[at + 9:end - 3], at)
            return end
        if text[at:at + 9].upper() == '<!DOCTYPE':
            end = self._find(at, '>', 'DOCTYPE')
            if '[' in text[at:end]:
                raise self._error(at, 'the DOCTYPE declares entities: a world file may not, '
                                  'use <variable> instead')
            return end
        return self._close(at) if text.startswith('</', at) else self._start(at)

    def _find(self, at: int, mark: str, what: str) -> int:
        """Return where a mark ends."""
        start = self._text.find(mark, at)
        if start < 0:
            raise self._error(at, f'{what} is never closed: add {mark}')
        return start + len(mark)

    def _close(self, at: int) -> int:
        end = self._find(at, '>', 'closing tag')
        said = self._text[at + 2:end - 1].strip()
        if len(self._open) == 1:
            raise self._error(at, f'closing tag </{said}> has no opening tag: delete it')
        node, parts = self._open.pop()
        node.text = ''.join(parts)
        if said != node.tag:
            here = self._line(at)
            message = (f'closing tag </{said}> closes <{node.tag}>{_of(node.source.line, here)}: '
                       f'write </{node.tag}>')
            self._mismatch = self._mismatch or f' (or look at line {here}: {message})'
            if self._warn:
                self._warn(Source(self._file, here), message)
        return end

    def _start(self, at: int) -> int:
        match = _OPEN.match(self._text, at)
        if not match:
            shown = self._text[at:at + 20].split('\n')[0]
            raise self._error(at, f'{shown!r} is not a tag: write &lt; for a less-than sign')
        node = Node(match.group(1), source=Source(self._file, self._line(at)))
        self._count += 1
        if len(self._open) > MAX_DEPTH:
            raise self._error(at, f'<{node.tag}> is nested more than {MAX_DEPTH} deep')
        if self._count > MAX_ELEMENTS:
            raise self._error(at, f'the file has more than {MAX_ELEMENTS} elements')
        end = match.end()
        while found := _ATTRIBUTE.match(self._text, end):
            name, quoted = found.groups()
            if name in node.attributes:
                raise self._error(found.start(1), f'Attribute {name} redefined')
            node.attributes[name] = self._decoded(
                quoted[1:-1].translate(_BLANKS), found.start(2) + 1)
            end = found.end()
        closing = _END.match(self._text, end)
        if not closing:
            shown = self._text[end:end + 30].strip().split('\n')[0]
            of_line = _of(node.source.line, self._line(end))
            raise self._error(end, f'cannot read {shown!r} in tag <{node.tag}>{of_line}: '
                              'write name="value" pairs and end with >')
        node.attributes.pop('xmlns', None)
        self._open[-1][0].children.append(node)
        if not closing.group(1):
            self._open.append((node, []))
        return closing.end()

    def _line(self, at: int) -> int:
        return bisect_left(self._newlines, at) + 1

    def _error(self, at: int, message: str) -> WorldFileError:
        return WorldFileError(f'{self._file}:{self._line(at)}: {message}')


def _of(line: int, here: int) -> str:
    """Return text that names a line, '' for the line of the message."""
    return '' if line == here else f' of line {line}'
