"""How many houses, how large, and how much is said about them."""

from dataclasses import dataclass, fields

from fastnav.errors import UsageError

#: Below this there is no room for a start, a goal 5 m away and goals to confuse it with.
FEWEST_VIEWPOINTS = 20
#: Above this a house is an office block, and its plan no longer fits a page.
MOST_VIEWPOINTS = 400


@dataclass(frozen=True)
class HousesConfig:
    """What to build. Houses come in three groups: for training, for val_unseen and for test.

    `val_seen` walks in the training houses, on routes of its own.
    """

    seed: int = 1
    houses: int = 25
    val_unseen_houses: int = 6
    test_houses: int = 3
    viewpoints_per_house: float = 70.0
    train_routes_per_house: int = 28
    val_seen_routes_per_house: int = 5
    unseen_routes_per_house: int = 25

    def __post_init__(self) -> None:
        for field in fields(self):
            if getattr(self, field.name) < 0:
                raise UsageError(f"houses: {field.name} is {getattr(self, field.name)}; give 0 or more")
        if self.train_houses < 1:
            raise UsageError(
                f"houses: {self.houses} houses leave none to train in beside {self.val_unseen_houses} for "
                f"val_unseen and {self.test_houses} for test; ask for more houses"
            )
        if not FEWEST_VIEWPOINTS <= self.viewpoints_per_house <= MOST_VIEWPOINTS:
            raise UsageError(
                f"houses: viewpoints_per_house is {self.viewpoints_per_house}; "
                f"give {FEWEST_VIEWPOINTS} to {MOST_VIEWPOINTS}"
            )

    @property
    def train_houses(self) -> int:
        """Houses left for training once those of the unseen splits are set apart."""
        return self.houses - self.val_unseen_houses - self.test_houses

    @classmethod
    def small(cls, seed: int = 1) -> "HousesConfig":
        """A size for trying things out: built in a few seconds."""
        return cls(seed=seed)

    @classmethod
    def medium(cls, seed: int = 1) -> "HousesConfig":
        """The size of the quickstart: houses enough to learn what they have in common in two minutes."""
        return cls(
            seed=seed,
            houses=64,
            val_unseen_houses=8,
            test_houses=1,
            train_routes_per_house=60,
            val_seen_routes_per_house=3,
            unseen_routes_per_house=40,
        )

    @classmethod
    def full(cls, seed: int = 1) -> "HousesConfig":
        """The size of Room-to-Room: as many houses, viewpoints and instructions, split in the same way."""
        return cls(
            seed=seed,
            houses=90,
            val_unseen_houses=11,
            test_houses=18,
            viewpoints_per_house=117.0,
            train_routes_per_house=77,
            val_seen_routes_per_house=6,
            unseen_routes_per_house=74,
        )

    def role(self, house: int) -> str:
        """The group that a house belongs to: train, val_unseen or test."""
        if house < self.train_houses:
            return "train"
        return "val_unseen" if house < self.train_houses + self.val_unseen_houses else "test"
