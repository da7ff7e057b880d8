"""The table of captions: whose sentence each view gets, and the space that the sentences are put into."""

from pathlib import Path

import numpy as np
import pytest

from fastnav.data.features import build_captions, load_features, open_table
from fastnav.data.features.captions import view_parts
from fastnav.data.features.space import Space, fit_space
from fastnav.errors import MalformedFile, MissingFile, UsageError
from tests.data.features.samples import SCANS, HashEncoder, write_data
from tests.toy_data import PLACES

PLACE = [(SCANS[0], "S")]


def test_views_get_their_own_sector_and_the_row_below() -> None:
    """30 degrees a view against 45 a sector: 0 0->0 30->45 60->45 90->90 120->135 ... 330->315."""
    sectors = [0, 1, 1, 2, 3, 3, 4, 5, 5, 6, 7, 7]
    number = np.arange(24, dtype=np.int32).reshape(1, 8, 3)  # sector k, level l -> 3 k + l
    own, below = np.moveaxis(view_parts(number)[0], 1, 0)
    assert own.tolist() == [3 * k + level for level in range(3) for k in sectors]
    assert below.tolist() == [3 * k + level for level in (0, 0, 1) for k in sectors]


def test_a_view_holds_its_sentences_places(data: Path) -> None:
    """The feature of a view is the place of its caption, then that of the one below it."""
    encoder = HashEncoder()
    table = build_captions(data, encoder, width=6)
    features = table.dense(PLACE)
    assert features.shape == (1, 36, 12) and table.width == 12
    wanted = table.space().project(encoder.encode(["S wall 3", f"{SCANS[0]} S floor 3"]))
    level = features[0, 12 + 4]  # 120 degrees, nearest to sector 3
    np.testing.assert_allclose(level, wanted.reshape(-1), atol=4e-3)


def test_each_sentence_is_encoded_once(data: Path) -> None:
    """However many views it describes; and an up-to-date table is not built again."""
    encoder = HashEncoder()
    table = build_captions(data, encoder)
    distinct = len(SCANS) * 5 * 8 + 5 * 8 + 1
    assert len(table.store.codes) == distinct  # type: ignore[union-attr]
    asked = encoder.asked
    assert build_captions(data, encoder).version == table.version
    assert encoder.asked == asked
    assert build_captions(data, HashEncoder("other")).version != table.version


def test_words_stand_in_the_same_space(data: Path) -> None:
    """Words of train's instructions, special words at zero."""
    encoder = HashEncoder()
    table = build_captions(data, encoder, width=6)
    words, places = table.words()
    assert len(words) == len(places) and not places[:4].any()
    for word, place in zip(words.words[4:], places[4:], strict=True):
        wanted = table.space().project(encoder.encode([word]))[0]
        np.testing.assert_array_equal(place, wanted)


def test_sentences_are_put_into_a_space_that_is_given(data: Path, tmp_path: Path) -> None:
    """The table of other buildings then says the same of the same sentence; it is no other build's table."""
    table = build_captions(data, HashEncoder(), width=6)
    other = write_data(tmp_path / "other")
    for path in (other / "captions").iterdir():
        path.write_text(path.read_text().replace("floor", "carpet"))
    fitted = build_captions(other, HashEncoder(), width=6)
    assert not fitted.space().is_same_as(table.space())
    given = build_captions(other, HashEncoder(), space=table.space())
    assert given.space().is_same_as(table.space()) and given.version != fitted.version
    assert "variance_kept" not in given.facts()
    upper = slice(24, 36)  # whose own sentence and the one below speak of no floor
    np.testing.assert_array_equal(given.dense(PLACE)[:, upper], table.dense(PLACE)[:, upper])
    assert (given.dense(PLACE) != table.dense(PLACE)).any()
    with pytest.raises(UsageError, match="is one of 'hash'; name that --encoder"):
        build_captions(other, HashEncoder("mine"), space=table.space())


def test_the_same_space() -> None:
    """Rounding leaves it the same; a direction turned round, a shift and another encoder do not."""
    dice = np.random.default_rng(4)
    mean, basis = (dice.normal(size=shape).astype(np.float32) for shape in ((12,), (12, 5)))
    space = Space(mean, basis, "hash")
    halves = (part.astype(np.float16).astype(np.float32) for part in (mean, basis))
    assert Space(*halves, "hash").is_same_as(space)
    assert not Space(space.mean, space.basis * np.float32(1e30), "hash").is_same_as(space)
    turned = basis * np.array([1, 1, 1, 1, -1], dtype=np.float32)
    for other in (
        Space(mean, turned, "hash"),
        Space(mean + 0.1, basis, "hash"),
        Space(mean, basis, "other"),
        Space(mean, basis[:, :4], "hash"),
    ):
        assert not other.is_same_as(space) and other.digest != space.digest


def test_space_keeps_what_lies_in_few_directions() -> None:
    """Points of a plane in 9 dimensions go there and back; their distances keep up to one scale."""
    dice = np.random.default_rng(0)
    plane = dice.normal(size=(300, 2)) @ dice.normal(size=(2, 9)) + 5
    space, kept = fit_space(plane, 2)
    assert kept == pytest.approx(1) and space.width == 2
    placed = space.project(plane).astype(float)
    back = placed @ np.linalg.pinv(space.basis.astype(float)) + space.mean
    np.testing.assert_allclose(back, plane, atol=0.05)
    assert np.sqrt((placed**2).mean()) == pytest.approx(1, abs=0.01)


def test_space_is_the_same_for_rows_in_another_order() -> None:
    """No sign is left to chance."""
    vectors = np.random.default_rng(1).normal(size=(200, 8))
    one, _ = fit_space(vectors, 4)
    other, _ = fit_space(vectors[::-1], 4)
    np.testing.assert_allclose(one.basis, other.basis, atol=1e-6)


def test_space_of_equal_vectors() -> None:
    """Nothing varies: everything stands at zero, and nothing is lost."""
    space, kept = fit_space(np.ones((5, 3)), 2)
    assert kept == 1 and not space.project(np.ones((2, 3))).any()


def test_a_space_is_wider_than_its_vectors_never() -> None:
    """The widest space of 3-vectors has 3 dimensions."""
    assert fit_space(np.random.default_rng(2).normal(size=(9, 3)), 128)[0].basis.shape == (3, 3)
    assert isinstance(fit_space(np.eye(3), 2)[0], Space)


def test_missing_and_stale_tables_say_what_to_run(data: Path) -> None:
    """One message with the command."""
    with pytest.raises(MissingFile, match="fastnav features build captions --data"):
        load_features(data, "captions", PLACE)
    build_captions(data, HashEncoder())
    load_features(data, "captions", PLACE)
    path = data / "captions" / f"{SCANS[0]}.json"
    path.write_text(path.read_text().replace("S wall 3", "S window 3"))
    with pytest.raises(Exception, match=r"stale, as captions changed.*fastnav features build captions"):
        open_table(data, "captions")
    build_captions(data, HashEncoder())
    load_features(data, "captions", PLACE)


def test_a_viewpoint_without_captions_is_named(data: Path) -> None:
    """Not a row of zeros."""
    table = build_captions(data, HashEncoder())
    with pytest.raises(Exception, match="no features of viewpoint Z in building"):
        table.dense([(SCANS[0], "Z")])


def test_an_encoder_that_fails_is_named(data: Path) -> None:
    """Vectors that are no numbers never reach a table."""

    class Broken(HashEncoder):
        def encode(self, sentences):  # type: ignore[no-untyped-def]
            return super().encode(sentences) * np.float32(np.nan)

    with pytest.raises(Exception, match="encoder broken: gave"):
        build_captions(data, Broken("broken"))


def test_a_damaged_table_is_named(data: Path) -> None:
    """An array cut short, and a description from another time."""
    table = build_captions(data, HashEncoder())
    codes = table.folder / "codes.npy"
    codes.write_bytes(codes.read_bytes()[:200])
    with pytest.raises(MalformedFile, match=r"codes.npy: not a whole array.*--overwrite"):
        open_table(data, "captions")
    build_captions(data, HashEncoder(), overwrite=True)
    (table.folder / "meta.json").write_text('{"format": 99}')
    with pytest.raises(MalformedFile, match=r"not a table of this version.*features build captions"):
        open_table(data, "captions")
    assert set(PLACES) == {place for scan, place in build_captions(data, HashEncoder()).viewpoints}
