# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""
Elements of a world file before they are bound to specs, and how they are parsed from text.

World files are often not well-formed XML. Like the parser of MVSim it accepts closing tags with a
wrong name (they close the innermost open element), several roots, and names with colons. It also
accepts raw ``<`` and bare ``&`` in attributes and text. A repair pass rewrites these to
well-formed XML with the same lines, which lxml parses, so that line numbers are those of the
original text.
"""

from bisect import bisect_left
import codecs
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
import re

from lxml import etree

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

_COLON = '\ua789'  # a letter in place of the colon, so that lxml sees no prefixes
_NAME = r'[^\W\d][\w.:-]*'
_OPEN = re.compile(rf'<({_NAME})(?=[\s/>])')
_ATTRIBUTE = re.compile(rf'\s*({_NAME})\s*=\s*("[^"]*"|\'[^\']*\')')
_END = re.compile(r'\s*(/?)>')
_FORMULA = r'\$f\{(?:(?!</|<!)[^{}\n]|\{[^{}\n]*\})*\}'  # may contain a less-than sign
_TEXT = re.compile(rf'(?:[^<$]+|<(?=[\s\d=.(+-])|{_FORMULA}|\$)+')
_NO_CHARACTER = re.compile('[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]')
_BARE_AMPERSAND = re.compile(r'&(?!(?:lt|gt|amp|quot|apos|#\d+|#x[0-9a-fA-F]+);)')
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
    repair = _Repair(text, file, warn)
    repaired = repair.run()
    parser = etree.XMLParser(remove_comments=True, resolve_entities=False, no_network=True)
    try:
        root = etree.fromstring(repaired.encode(), parser)
    except etree.XMLSyntaxError as error:
        what = str(error.msg).replace(_COLON, ':').partition(', line ')[0]
        raise WorldFileError(f'{file}:{error.lineno}: {what}') from error
    lines = iter(repair.lines)
    roots = [_node(child, file, lines) for child in root]
    if not roots:
        raise WorldFileError(f'{file}:1: the file has no element: a world begins with '
                             '<mvsim_world>, an included file holds at least one element')
    return roots


def _node(element: etree._Element, file: str, lines: Iterator[int]) -> Node:
    attributes = {_name(str(key)): str(value) for key, value in element.attrib.items()}
    source = Source(file, next(lines))
    text = ''.join([element.text or '', *(child.tail or '' for child in element)])
    children = [_node(child, file, lines) for child in element]
    return Node(_name(str(element.tag)), attributes, text, children, source)


def _name(name: str) -> str:
    return name.rpartition('}')[2].replace(_COLON, ':')


class _Repair:
    """Rewrites a text to well-formed XML with the same lines; `lines` are of the start tags."""

    def __init__(self, text: str, file: str, warn: Warn | None) -> None:
        self.text = text
        self.file = file
        self.warn = warn
        self.lines: list[int] = []
        self._open: list[tuple[str, int]] = []  # name and line of the open elements
        self._out: list[str] = []
        self._mismatch = ''
        self._newlines = [match.start() for match in re.finditer('\n', self.text)]

    def run(self) -> str:
        """Return the repaired text, with its roots in one element."""
        bad = _NO_CHARACTER.search(self.text)
        if bad:
            raise self._error(bad.start(), f'character U+{ord(bad.group()):04X} is not allowed: '
                              'is this a text file?')
        at = 0
        while at < len(self.text):
            at = self._markup(at) if self._is_markup(at) else self._plain_text(at)
        if self._open:
            name, line = self._open[-1]
            raise WorldFileError(f'{self.file}:{line}: <{name}> is never closed: '
                                 f'add </{name}>{self._mismatch}')
        return f'<file>{"".join(self._out)}</file>'

    def _is_markup(self, at: int) -> bool:
        return self.text[at] == '<' and not _TEXT.match(self.text, at)

    def _plain_text(self, at: int) -> int:
        match = _TEXT.match(self.text, at)
        assert match is not None
        self._add_text(match.group(), at)
        return match.end()

    def _add_text(self, text: str, at: int) -> None:
        if not self._open and text.strip():
            at += len(text) - len(text.lstrip())
            raise self._error(at, f'text {text.split()[0][:30]!r} outside of any element: '
                              'a file holds elements only')
        self._out.append(_escape(text))

    def _markup(self, at: int) -> int:
        text = self.text
        if text.startswith('<!--', at):
            return self._drop(at, '-->', 'comment')
        if text.startswith('<?', at):
            return self._drop(at, '?>', 'processing instruction')
        if text.startswith('<![CDATA[', at):
            end = self._find(at, ']]>', 'CDATA section')
            self._add_text(text[at + 9:end].replace('&', '&amp;'), at)
            return end + 3
        if text[at:at + 9].upper() == '<!DOCTYPE':
            end = self._find(at, '>', 'DOCTYPE')
            if '[' in text[at:end]:
                raise self._error(at, 'the DOCTYPE declares entities: a world file may not, '
                                  'use <variable> instead')
            return self._drop(at, '>', 'DOCTYPE')
        if text.startswith('</', at):
            return self._close(at)
        return self._start(at)

    def _find(self, at: int, mark: str, what: str) -> int:
        end = self.text.find(mark, at)
        if end < 0:
            raise self._error(at, f'{what} is never closed: add {mark}')
        return end

    def _drop(self, at: int, mark: str, what: str) -> int:
        end = self._find(at, mark, what) + len(mark)
        newlines = '\n' * self.text.count('\n', at, end)
        self._out.append(f'<!--{newlines}-->')
        return end

    def _close(self, at: int) -> int:
        end = self._find(at, '>', 'closing tag')
        said = self.text[at + 2:end].strip()
        if not self._open:
            raise self._error(at, f'closing tag </{said}> has no opening tag: delete it')
        name, line = self._open.pop()
        if said != name:
            here = self._line(at)
            message = (f'closing tag </{said}> closes <{name}>{_of(line, here)}: write </{name}>')
            self._mismatch = self._mismatch or f' (or look at line {here}: {message})'
            if self.warn:
                self.warn(Source(self.file, here), message)
        self._out.append('\n' * self.text.count('\n', at, end) + f'</{_xml_name(name)}>')
        return end + 1

    def _start(self, at: int) -> int:
        match = _OPEN.match(self.text, at)
        if not match:
            shown = self.text[at:at + 20].split('\n')[0]
            raise self._error(at, f'{shown!r} is not a tag: write &lt; for a less-than sign')
        name = match.group(1)
        self.lines.append(self._line(at))
        if len(self._open) >= MAX_DEPTH:
            raise self._error(at, f'<{name}> is nested more than {MAX_DEPTH} deep')
        if len(self.lines) > MAX_ELEMENTS:
            raise self._error(at, f'the file has more than {MAX_ELEMENTS} elements')
        self._out.append(f'<{_xml_name(name)}')
        end = match.end()
        while found := _ATTRIBUTE.match(self.text, end):
            quoted = found.group(2)
            newlines = '\n' * self.text.count('\n', end, found.start(2))
            self._out.append(f' {newlines}{_xml_name(found.group(1))}='
                             f'{quoted[0]}{_escape(quoted[1:-1])}{quoted[0]}')
            end = found.end()
        closing = _END.match(self.text, end)
        if not closing:
            shown = self.text[end:end + 30].strip().split('\n')[0]
            of_line = _of(self._line(at), self._line(end))
            raise self._error(end, f'cannot read {shown!r} in tag <{name}>{of_line}: '
                              'write name="value" pairs and end with >')
        self._out.append('\n' * closing.group().count('\n') + closing.group(1) + '>')
        if not closing.group(1):
            self._open.append((name, self._line(at)))
        return closing.end()

    def _line(self, at: int) -> int:
        return bisect_left(self._newlines, at) + 1

    def _error(self, at: int, message: str) -> WorldFileError:
        return WorldFileError(f'{self.file}:{self._line(at)}: {message}')


def _of(line: int, here: int) -> str:
    """Return text that names a line, '' for the line of the message."""
    return '' if line == here else f' of line {line}'


def _escape(text: str) -> str:
    text = _BARE_AMPERSAND.sub('&amp;', text)
    return text.replace('<', '&lt;').replace('>', '&gt;')


def _xml_name(name: str) -> str:
    return name.replace(':', _COLON)
