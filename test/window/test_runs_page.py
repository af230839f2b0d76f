# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""The page that lists the runs of a sweep, in Chromium."""

from pathlib import Path
from typing import Any

from mvsim_ros2.studies.sweeps.runs_page import PAGE, write_runs_page

COUNT = 10_000


def test_ten_thousand_runs_are_listed_a_hundred_at_a_time(browser: Any, tmp_path: Path) -> None:
    """Whoever opens the page gets a hundred rows; the others by buttons, search and order."""
    write_runs_page(tmp_path, ['run', 'seed', 'time_s', 'error'], [
        [f'office_seed{k}', str(k), f'{(7 * k) % COUNT / 10:g}', '</script><b>' if k == 42 else '']
        for k in range(COUNT)])
    page = browser.new_page()
    wrong: list[str] = []
    page.on('pageerror', lambda error: wrong.append(str(error)))
    page.goto((tmp_path / PAGE).as_uri())

    def names() -> list[str]:
        rows = page.locator('tbody tr td:first-child')
        return [str(text) for text in rows.all_text_contents()]

    assert names() == [f'office_seed{k}' for k in range(100)]
    assert page.text_content('#where') == f'1 to 100 of {COUNT}'
    assert page.get_attribute('tbody a', 'href') == 'office_seed0/'
    assert page.locator('b').count() == 0
    page.click('#next')
    assert names() == [f'office_seed{k}' for k in range(100, 200)]
    page.click('th:nth-child(3)')
    assert names()[:2] == ['office_seed0', 'office_seed7143']  # 7 * 7143 is 1 modulo COUNT
    page.click('th:nth-child(3)')
    assert names()[0] == 'office_seed2857' and len(names()) == 100
    page.fill('#find', 'SEED999')
    assert sorted(names()) == ['office_seed999', *(f'office_seed999{k}' for k in range(10))]
    page.fill('#find', 'no such run')
    assert names() == [] and page.text_content('#where') == '0 to 0 of 0'
    assert page.is_disabled('#next') and page.is_disabled('#back') and not wrong
    page.close()
