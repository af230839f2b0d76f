# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The tolerant reader: what it takes, where it says things are, what it refuses."""

import codecs
from pathlib import Path

import pytest

from mvsim_ros2.errors import WorldFileError
from mvsim_ros2.world.file.document import tree
from mvsim_ros2.world.file.document.tree import decode, MAX_BYTES, MAX_DEPTH, Node, parse_nodes
from mvsim_ros2.world.spec import Source


def _root(text: str) -> Node:
    return parse_nodes(text, 'w.xml')[0]


def _walk(node: Node) -> list[Node]:
    return [node, *(inner for child in node.children for inner in _walk(child))]


@pytest.mark.parametrize('text, tag, attributes, value', [
    pytest.param('<a/>', 'a', {}, '', id='self-closing'),
    pytest.param('<a></a>', 'a', {}, '', id='empty'),
    pytest.param('<a:b x:y="1"/>', 'a:b', {'x:y': '1'}, '', id='colons'),
    pytest.param('<a xmlns:v="u" v:w="1"/>', 'a', {'xmlns:v': 'u', 'v:w': '1'}, '', id='xmlns'),
    pytest.param("<a x='it \"is\"' y=\"it's\"/>", 'a', {'x': 'it "is"', 'y': "it's"}, '',
                 id='both-quotes'),
    pytest.param('<a\n\tx = "1"\n y="2"\n/>', 'a', {'x': '1', 'y': '2'}, '', id='many-lines'),
    pytest.param('<a x="1"y="2"/>', 'a', {'x': '1', 'y': '2'}, '', id='attributes-not-apart'),
    pytest.param('<a x="i<=3 & j>2"/>', 'a', {'x': 'i<=3 & j>2'}, '', id='raw-in-attribute'),
    pytest.param('<a>1 < 2 & 3 > 2</a>', 'a', {}, '1 < 2 & 3 > 2', id='raw-in-text'),
    pytest.param('<a>$f{i<n}</a>', 'a', {}, '$f{i<n}', id='raw-in-formula'),
    pytest.param('<a>$f{${A|2}<n}</a>', 'a', {}, '$f{${A|2}<n}', id='raw-in-nested-formula'),
    pytest.param('<a>${b}$f{c</a>', 'a', {}, '${b}$f{c', id='formula-not-closed'),
    pytest.param('<a x="&lt;&amp;&quot;&#65;&#x42;">&apos;&gt;</a>', 'a', {'x': '<&"AB'}, "'>",
                 id='entities'),
    pytest.param('<a>&nbsp; &x</a>', 'a', {}, '&nbsp; &x', id='unknown-entities-stay'),
    pytest.param('<a>1<!-- 2 \n -->3</a>', 'a', {}, '13', id='comment-does-not-cut'),
    pytest.param('<a>1<b/>2<?p?>3</a>', 'a', {}, '123', id='child-does-not-cut'),
    pytest.param('<a><![CDATA[<b>&amp;]]></a>', 'a', {}, '<b>&amp;', id='cdata'),
    pytest.param('<a>]]></a>', 'a', {}, ']]>', id='end-of-cdata'),
    pytest.param('<!-- <x> --><?xml version="1.0"?><!DOCTYPE a><a/>', 'a', {}, '', id='prologue'),
    pytest.param('\ufeff<a/>', 'a', {}, '', id='byte-order-mark'),
    pytest.param('<a></ a >', 'a', {}, '', id='blanks-in-closing-tag'),
    pytest.param('<größe einheit="µm">3</größe>', 'größe', {'einheit': 'µm'}, '3', id='unicode'),
])
def test_takes(text: str, tag: str, attributes: dict[str, str], value: str) -> None:
    root = _root(text)
    assert (root.tag, root.attributes, root.text) == (tag, attributes, value)


def test_closing_tag_closes_the_innermost_element() -> None:
    warnings: list[tuple[Source, str]] = []
    roots = parse_nodes('<a>\n<b>1</c>\n<d/></a>', 'w.xml', lambda *said: warnings.append(said))
    assert [node.tag for node in _walk(roots[0])] == ['a', 'b', 'd']
    assert warnings == [(Source('w.xml', 2), 'closing tag </c> closes <b>: write </b>')]


def test_several_roots() -> None:
    roots = parse_nodes('<!-- x -->\n<a/>\n<b>1</b>\n\n<c:d/>', 'w.xml')
    assert [(node.tag, node.source.line) for node in roots] == [('a', 2), ('b', 3), ('c:d', 5)]


@pytest.mark.parametrize('newline', ['\n', '\r\n', '\r'], ids=['unix', 'windows', 'old-mac'])
def test_lines_are_those_of_the_start_tags(newline: str) -> None:
    text = newline.join([
        '<?xml version="1.0"', '?>', '<!-- a', 'b -->', '<mvsim_world', '  version="1.0"', '>',
        '<a', 'x', '=', '"1', '2"/><b/>', '<!-- --><c>', '1<![CDATA[', ']]></c', '><d/>',
        '</mvsim_world>'])
    assert [(node.tag, node.source.line) for node in _walk(_root(text))] == [
        ('mvsim_world', 5), ('a', 8), ('b', 12), ('c', 13), ('d', 16)]


def test_lines_beyond_16_bits() -> None:
    assert parse_nodes('\n' * 70_000 + '<a/>', 'w.xml')[0].source.line == 70_001


@pytest.mark.parametrize('text, line, part', [
    pytest.param('', 1, 'no element', id='empty'),
    pytest.param(' \n <!-- x -->', 1, 'no element', id='only-a-comment'),
    pytest.param('\n<a>\n<b>\n</b>', 2, '<a> is never closed: add </a>', id='unclosed'),
    pytest.param('<a>\n<b>\n</a>', 1, 'line 3: closing tag </a> closes <b> of line 2',
                 id='unclosed-by-mismatch'),
    pytest.param('<a/>\n</b>', 2, 'closing tag </b> has no opening tag', id='stray-closing-tag'),
    pytest.param('<a/>\n\n hello', 3, "text 'hello' outside", id='text-outside'),
    pytest.param('<a>\n<b\n y="0" x=1/></a>', 3,
                 "cannot read 'x=1/></a>' in tag <b> of line 2:", id='no-quotes'),
    pytest.param('<a>\n<b x=1/></a>', 2, 'in tag <b>: write', id='no-quotes-same-line'),
    pytest.param('<a>\n<b x="1/></a>', 2, 'in tag <b>', id='open-quote'),
    pytest.param('<a>\n<b x="1" x="2"/></a>', 2, 'Attribute x redefined', id='twice'),
    pytest.param('<a>\n</>></a>\n</a>', 2, 'outside', id='lone-bracket'),
    pytest.param('<a>\n i<n</a>', 2, 'write &lt; for a less-than sign', id='looks-like-a-tag'),
    pytest.param('<a', 1, 'is not a tag', id='cut-in-name'),
    pytest.param('<a>\n<!-- x </a>', 2, 'comment is never closed', id='open-comment'),
    pytest.param('<a>\n<![CDATA[ x </a>', 2, 'CDATA section is never closed', id='open-cdata'),
    pytest.param('<a/>\n<?x', 2, 'instruction is never closed', id='open-instruction'),
    pytest.param('<a>\n\0</a>', 2, 'character U+0000', id='nul'),
    pytest.param('<a>\n\ud800</a>', 2, 'character U+D800', id='lone-surrogate'),
    pytest.param('<a>\n&#0;</a>', 2, 'character U+0000', id='nul-by-number'),
    pytest.param('\n<!DOCTYPE a [<!ENTITY l "&l;&l;">]><a>&l;</a>', 2, 'declares entities',
                 id='entity-bomb'),
    pytest.param('<a>' * 9 + '\n' + '<a>' * MAX_DEPTH, 2, 'nested more than', id='too-deep'),
])
def test_refuses(text: str, line: int, part: str) -> None:
    with pytest.raises(WorldFileError) as caught:
        parse_nodes(text, 'w.xml')
    assert str(caught.value).startswith(f'w.xml:{line}: ')
    assert part in str(caught.value)


def test_too_many_elements(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, 'MAX_ELEMENTS', 5)
    assert len(parse_nodes('<a/>\n' * 5, 'w.xml')) == 5
    with pytest.raises(WorldFileError, match='w.xml:6: the file has more than 5 elements'):
        parse_nodes('<a/>\n' * 6, 'w.xml')


def test_depth_that_is_allowed() -> None:
    text = '<a>' * (MAX_DEPTH - 1) + '<a/>' + '</a>' * (MAX_DEPTH - 1)
    assert len(_walk(_root(text))) == MAX_DEPTH


@pytest.mark.parametrize('content', [
    pytest.param('<a>ü</a>'.encode(), id='utf-8'),
    pytest.param(codecs.BOM_UTF8 + '<a>ü</a>'.encode(), id='utf-8-mark'),
    pytest.param('<a>ü</a>'.encode('utf-16'), id='utf-16'),
    pytest.param(codecs.BOM_UTF16_BE + '<a>ü</a>'.encode('utf-16-be'), id='utf-16-be'),
    pytest.param('<?xml version="1.0" encoding="ISO-8859-1"?><a>ü</a>'.encode('latin-1'),
                 id='latin-1'),
])
def test_encodings(content: bytes) -> None:
    assert _root(decode(content, 'w.xml')).text == 'ü'


@pytest.mark.parametrize('content, message', [
    pytest.param(b'<a>\n\xfc</a>', 'w.xml:2: the file is no utf-8 text', id='wrong-bytes'),
    pytest.param(codecs.BOM_UTF16_LE + b'a', 'w.xml:1: the file is no utf-16-le text', id='half'),
    pytest.param(b'<?xml encoding="zlib"?>', "w.xml:1: encoding 'zlib' is not", id='no-text'),
    pytest.param(b'<?xml encoding="klingon"?>', "w.xml:1: encoding 'klingon' is", id='unknown'),
    pytest.param(b' ' * (MAX_BYTES + 1), 'w.xml: the file has more than', id='too-large'),
])
def test_no_text(content: bytes, message: str) -> None:
    with pytest.raises(WorldFileError, match=message):
        decode(content, 'w.xml')


def test_every_shared_world_file(shared: Path) -> None:
    warnings: list[Source] = []
    files = sorted((shared / 'worlds' / 'mvsim').rglob('*.xml'))
    for file in files:
        text = decode(file.read_bytes(), file.name)
        lines = text.splitlines()
        roots = parse_nodes(text, file.name, lambda source, message: warnings.append(source))
        for node in (inner for root in roots for inner in _walk(root)):
            assert f'<{node.tag}' in lines[node.source.line - 1]
    assert files
    assert warnings == [Source('agricobiot2.vehicle.xml', 93)]
