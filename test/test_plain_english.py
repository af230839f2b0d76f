# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Pages, docstrings, messages and help use plain words and short sentences."""

import ast
from collections.abc import Iterator
from pathlib import Path
import re

import pytest

ROOT = Path(__file__).resolve().parents[1]
WORDS = {  # to avoid: what to write instead
    r'besides?': 'next to, in addition to',
    r'nobody|whoever': 'no one, or an active sentence',
    r'(is|are|was|were|been) told': 'commanded, reported',
    r'stands? (in )?for': 'represents, means, replaces',
    r'refus(ed|al)': 'is an error, is ignored, does not accept',
    r'does? without|do without': 'needs no',
    r'all that (is|are|was|has|can|it)': 'everything that, all',
    r'same bytes': 'reproducible bit for bit',
    r'there is to (know|say)': 'describe it',
    r'rouses?|obeys?|glides?|lone|thereof|therein|forgotten': 'a word of the glossary',
}
PATTERN = re.compile(r'\b(?<!:param )(' + '|'.join(WORDS) + r')\b', re.IGNORECASE)
PAGES = [path for folder in ('.', 'docs', 'docs/site') for path in (ROOT / folder).glob('*.md')
         if path.name not in ('CHANGELOG.md', 'CODE_OF_CONDUCT.md')]
CODE = sorted((ROOT / 'mvsim_ros2').rglob('*.py'))
MESSAGES = 'help', 'description', 'doc', 'hint'  # keyword arguments
LONGEST = 25  # words of a sentence
CODE_SPAN = r'``?[^`]*``?(,? (and |or )?``?[^`]*``?)*'  # names in a row count as one word
CITATION = r' \([^()]*\b(19|20)\d\d\b[^()]*\)|^:\w+[^:]*:'  # or the field of a docstring
NO_TEXT = (r'^( *)=+ .*?^\1=+ [= ]*$(.*?^\1=+ [= ]*$)?'  # tables, code and examples of docstrings
           r'|(?<=::)\n\n(( {4}.*|)\n)+|^ *>>>.*?\n\s*\n')
NO_PROSE = r'```.*?```|<!-- by .*?<!-- end -->|<!--.*?-->|(?<=\n\n)(    .*\n+)+|^#.*?$'


def plain(text: str) -> str:
    """Return the first words to avoid in a text, '' if there are none."""
    found = PATTERN.search(' '.join(text.split()))
    if found is None:
        return ''
    better = next(new for old, new in WORDS.items()
                  if re.fullmatch(old, found[0], re.IGNORECASE))
    return f'{found[0]!r}: {better}'


def docstrings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the docstrings of a module, with lines."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            yield getattr(node, 'lineno', 1), ast.get_docstring(node) or ''


def paragraphs(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the paragraphs of the docstrings of a module, with lines."""
    for line, text in docstrings(tree):
        prose = re.sub(NO_TEXT, '\n\n', text + '\n\n', flags=re.DOTALL | re.MULTILINE)
        yield from ((line, each) for each in re.split(r'\n\s*\n|\n\s*(?=:\w|[-*] )', prose))


def messages(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the messages of the errors of a module, and its help, with lines."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise) or isinstance(node, ast.keyword) and node.arg in MESSAGES:
            yield node.lineno, ' '.join(
                each.value for each in ast.walk(node)
                if isinstance(each, ast.Constant) and isinstance(each.value, str))


def long_sentences(paragraph: str) -> list[str]:
    """Return the sentences of a paragraph with too many words."""
    text = re.sub(CODE_SPAN, 'CODE', re.sub(CITATION, '', ' '.join(paragraph.split())))
    text = re.sub(r'\]\([^)]*\)|<[^>]*>', '', text)
    return [each for each in re.split(r'(?<=[.!?])[)\'"*]*\s+', text)
            if len(re.findall(r'\S*[A-Za-z]\S*', each)) > LONGEST]


@pytest.mark.parametrize('page', sorted(PAGES), ids=lambda page: page.name)
def test_pages_use_plain_words(page: Path) -> None:
    prose = re.sub(r'```.*?```|`[^`]*`', '', page.read_text(), flags=re.DOTALL)
    assert plain(prose) == ''


@pytest.mark.parametrize('page', sorted(PAGES), ids=lambda page: page.name)
def test_pages_have_short_sentences(page: Path) -> None:
    prose = re.sub(NO_PROSE, '\n\n', page.read_text(), flags=re.DOTALL | re.MULTILINE)
    parts = re.split(r'\n\s*\n|\n(?=\s*(?:[-*|<]|\d+\.) )|(?<!\\)\|', prose)
    assert [each for part in parts for each in long_sentences(part)] == []


def test_code_uses_plain_words_and_short_sentences() -> None:
    found = []
    for path in CODE:
        tree = ast.parse(path.read_text())
        found += [f'{path.relative_to(ROOT)}:{line}: {advice}'
                  for line, text in (*docstrings(tree), *messages(tree))
                  if (advice := plain(text))]
        found += [f'{path.relative_to(ROOT)}:{line}: {long}'
                  for line, text in (*paragraphs(tree), *messages(tree))
                  for long in long_sentences(text)]
    assert not found, '\n'.join(found)
