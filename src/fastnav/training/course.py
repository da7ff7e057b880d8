"""What a training learns from and is examined on: worlds, eyes, words, lessons and exams, on one device."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch

from fastnav.agents.sight import Sight
from fastnav.data.features import Space, open_tables, spaces_of
from fastnav.data.splits import Split, load_split
from fastnav.data.vocabulary import Vocabulary
from fastnav.errors import UnknownName
from fastnav.training.lessons import Lessons
from fastnav.training.meanings import Meanings, meanings_of
from fastnav.training.mirror import lessons_with_twins, views_with_twins, with_twins
from fastnav.training.poses import PoseTeacher, lessons_in_poses
from fastnav.training.teacher import Teacher
from fastnav.world.features import features_of
from fastnav.world.geodesics import Geodesics
from fastnav.world.graph import World
from fastnav.world.loading import load_world
from fastnav.world.of_split import load_world_of
from fastnav.world.poses import pose_world

#: What one may train on, and the splits that it is examined on meanwhile. `dev_unseen` is a part of train,
#: so whoever trains on all of train can no longer choose by it.
EXAMS: dict[str, tuple[str, ...]] = {"dev_train": ("dev_unseen", "val_seen"), "train": ("val_seen",)}


@dataclass(frozen=True, eq=False)
class Course:
    """All that stays the same while an agent learns."""

    split: str
    features: str
    tables: Mapping[str, str]  # feature table -> its version
    spaces: Mapping[str, Space]  # of those tables whose sentences were put into one
    world: World  # of tensors
    sight: Sight
    vocabulary: Vocabulary
    meanings: Meanings | None  # where words lie in the spaces of what is seen, if that is known
    teacher: Teacher
    lessons: Lessons
    exams: Mapping[str, Lessons]


def load_course(
    data: Path, split: str, features: str, device: Any, *, low_level: bool = False, mirror: bool = False
) -> Course:
    """Read everything; each fault of the data is one error.

    `low_level`: for who walks among poses; `mirror`: the houses that are learnt from have twins.
    """
    if split not in EXAMS:
        raise UnknownName("training split", split, EXAMS)
    splits = {name: load_split(data, name) for name in (split, *EXAMS[split])}
    world = _world_of(data, splits.values())
    vocabulary = Vocabulary.build(episode.instruction for episode in load_split(data, "train").episodes)
    views, tables = features_of(world, data, features), open_tables(data, features)
    lessons = {
        name: Lessons.of(world, _counted(part) if name != split else part, vocabulary, device)
        for name, part in splits.items()
    }
    taught = lessons.pop(split)
    if mirror:
        world, twin = with_twins(world, splits[split].scans)
        views, taught = views_with_twins(views, twin), lessons_with_twins(taught, twin, vocabulary)
    course = Course(
        split=split,
        features=features,
        tables={table.name: table.version for table in tables},
        spaces=spaces_of(tables),
        world=world.to(device),
        sight=Sight.of(torch.as_tensor(views, device=device)),
        vocabulary=vocabulary,
        meanings=meanings_of(tables, vocabulary),
        teacher=Teacher.of(world, Geodesics.of(world), device),
        lessons=taught,
        exams=lessons,
    )
    return _among_poses(course, world, device) if low_level else course


def _among_poses(course: Course, world: World, device: Any) -> Course:
    return replace(
        course,
        world=pose_world(world).to(device),
        teacher=PoseTeacher.among_poses(course.teacher, world, device),
        lessons=lessons_in_poses(course.lessons),
        exams={name: lessons_in_poses(exam) for name, exam in course.exams.items()},
    )


def _world_of(data: Path, splits: Iterable[Split]) -> World:
    """The buildings of all splits, each of which must fit its own."""
    scans: set[str] = set()
    for split in splits:
        load_world_of(data, split)
        scans |= set(split.scans)
    return load_world(data, sorted(scans))


def _counted(split: Split) -> Split:
    """The episodes that the benchmark counts."""
    return replace(split, episodes=split.scored)
