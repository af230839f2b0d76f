# Copyright 2026 The mvsim_ros2 authors
# SPDX-License-Identifier: BSD-3-Clause
"""Screenshot, film and bag by the buttons of the window."""

import io

import numpy as np
from PIL import Image
import pytest

pytestmark = pytest.mark.slow


@pytest.fixture(scope='module')
def folder(tmp_path_factory):
    """Return where the window records."""
    return tmp_path_factory.mktemp('recorded')


@pytest.fixture(scope='module')
def run(live, folder):
    """Return a run of a world with one robot."""
    return live('empty', sensors=False, folder=folder)


@pytest.fixture(scope='module')
def page(run, visit):
    """Return a page that looks at its tab."""
    page = visit(run.link)
    page.wait_for_picture(run)
    page.page.get_by_role('tab', name='World').click()
    return page


def test_screenshot_is_a_download_of_the_picture(page):
    with page.page.expect_download() as download:
        page.page.get_by_role('button', name='Screenshot').click()
    with open(download.value.path(), 'rb') as file:
        picture = np.array(Image.open(io.BytesIO(file.read())).convert('RGB'))
    assert picture.shape[1] > 300 and picture.std() > 10
    assert not page.errors


def test_bag_is_started_and_stopped(run, page, folder):
    page.page.get_by_role('button', name='Start a bag').click()
    page.page.get_by_role('button', name='Stop bag_1').click()
    page.page.get_by_role('button', name='Start a bag').wait_for()
    assert (folder / 'bag_1' / 'metadata.yaml').is_file() and not run.recorders.active


def test_film_is_written(page, folder):
    pytest.importorskip('av', reason='no PyAV: pip install av')
    page.page.get_by_label('Film [s]').fill('0.1')
    page.page.get_by_label('Film [s]').press('Enter')
    page.page.get_by_role('button', name='Film the next').click()
    film = folder / 'film_1.mp4'
    page.wait(lambda: film.is_file() and b'moov' in film.read_bytes(), 'the film')
    assert not page.errors
