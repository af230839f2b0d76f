# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""A page that lists the runs of a sweep, a hundred at a time."""

from collections.abc import Sequence
import json
from pathlib import Path

from mvsim_ros2.base.files import replaced

PAGE = 'index.html'
_TEXT = """\
<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Runs</title><style>
body{font:15px sans-serif;margin:1em}table{border-collapse:collapse;margin:1em 0}
td,th{border:1px solid #bbb;padding:.2em .5em;text-align:left}th{cursor:pointer}
</style></head><body><h1>Runs</h1>
<input id="find" type="search" placeholder="find" aria-label="find">
<button id="back">back</button> <span id="where"></span> <button id="next">next</button>
<p>Click a heading to sort. <a href="summary.csv">summary.csv</a> has the same rows.</p>
<table><thead></thead><tbody></tbody></table><script>
const columns = COLUMNS, rows = ROWS, most = 100;
const element = id => document.getElementById(id);
let found = rows, first = 0, sorted = -1, order = 1;
function line(parent, kind, texts) {
  const row = parent.insertRow();
  return texts.map(text => {
    const cell = row.appendChild(document.createElement(kind));
    cell.textContent = text;
    return cell;
  });
}
function show() {
  const body = document.querySelector('tbody');
  body.replaceChildren();
  for (const row of found.slice(first, first + most)) {
    const cell = line(body, 'td', row)[0], link = document.createElement('a');
    link.href = encodeURIComponent(row[0]) + '/';
    link.textContent = row[0];
    cell.replaceChildren(link);
  }
  const last = Math.min(first + most, found.length);
  element('where').textContent = `${found.length ? first + 1 : 0} to ${last} of ${found.length}`;
  element('back').disabled = first === 0;
  element('next').disabled = last === found.length;
}
line(document.querySelector('thead'), 'th', columns).forEach((cell, k) => {
  cell.onclick = () => {
    order = sorted === k ? -order : 1;
    sorted = k;
    const by = new Intl.Collator('en', {numeric: true}).compare;
    const numbers = rows.every(row => !isNaN(row[k]));
    rows.sort((a, b) => order * (numbers ? a[k] - b[k] : by(a[k], b[k])));
    element('find').oninput();
  };
});
element('find').oninput = () => {
  const text = element('find').value.toLowerCase();
  found = rows.filter(row => row.some(each => each.toLowerCase().includes(text)));
  first = 0;
  show();
};
element('back').onclick = () => { first -= most; show(); };
element('next').onclick = () => { first += most; show(); };
show();
</script></body></html>
"""


def write_runs_page(root: Path, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """
    Write the page of a sweep.

    :param rows: texts of each run in the order of the columns; the first is its folder.
    """
    with replaced(root / PAGE) as new:
        before, between, after = _TEXT.replace('ROWS', 'COLUMNS').split('COLUMNS')
        new.write_text(f'{before}{_data(columns)}{between}{_data(rows)}{after}', encoding='utf-8')


def _data(values: Sequence[object]) -> str:
    """Return values as JavaScript that cannot end its script."""
    return json.dumps(values).replace('<', '\\u003c')
