"""A manifest and the results beside it, as pandas tables."""

import json
import os
from pathlib import Path

import pandas as pd

_COLUMNS = [
    "comparison",
    "scenario",
    "segment",
    "column",
    "level",
    "statistic",
    "against",
    "in_scenario",
    "difference",
    "low",
    "high",
    "standard_error",
    "beyond_chance",
    "support",
    "in_rows",
]


def read_manifest(path) -> "Manifest":
    """path: manifest.json of a run, or the folder that has it. Raises ValueError for a file that is none."""
    path = Path(path)
    if path.is_dir():
        path = path / "manifest.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(content, dict) or content.get("manifest_version") != 1:
        raise ValueError(f"{path} is no manifest of version 1")
    return Manifest(path, content)


class Manifest:
    """What a run was asked for and what came. `content` is the whole manifest as it is written."""

    def __init__(self, path: Path, content: dict):
        self.path = path
        self.content = content

    @property
    def scenarios(self) -> list:
        """Ids in the sequence of the study."""
        known = self.content["scenarios"]
        first = [one for one in self.content["study"].get("scenario_order", []) if one in known]
        return [*first, *(one for one in known if one not in first)]

    def answers(self) -> pd.DataFrame:
        """A row for each difference of each comparison, segments included.

        Shares are fractions of 1, means and quantiles in the unit of their column, dates milliseconds since 1970. `difference`
        is the answer of the seed, and that of the rows where there is no answer; `low` and `high` are its 95 % interval;
        `in_rows` is the difference in the generated rows.
        """
        rows = []
        for comparison, found in self.content["comparisons"].items():
            for scenario, result in found["scenarios"].items():
                place = {"comparison": comparison, "scenario": scenario}
                rows += _differences({**place, "segment": None}, result)
                for segment in result.get("segments", []):
                    rows += _differences({**place, "segment": segment["level"]}, segment)
        return pd.DataFrame(rows, columns=_COLUMNS)

    def targets(self) -> pd.DataFrame:
        """A row for each share of a level that a scenario asks for: target, achieved share, rows."""
        rows = [
            {"scenario": scenario, "column": column, "level": level, **figures}
            for scenario in self.scenarios
            for column, share in self.content["scenarios"][scenario]["shares"].items()
            for level, figures in share["levels"].items()
        ]
        return pd.DataFrame(rows, columns=["scenario", "column", "level", "target", "achieved", "delta", "count"])

    def rows(self, scenario: str) -> pd.DataFrame:
        """The generated rows of a scenario.

        Columns that the manifest describes are categorical with their levels in order; their labels are in `.attrs["labels"]`,
        and the factor of standard errors in `.attrs["standard_error_factor"]`. Parquet and Arrow need pyarrow, .sav pyreadstat.
        """
        result = self._scenario(scenario)
        artifact = result["artifact"]
        if artifact is None:
            raise ValueError(f"the scenario {scenario} has no rows: it is {result['status']}")
        # A path of the manifest is relative to it, and a file of a stranger must not lead elsewhere.
        file = (self.path.parent / artifact["path"]).resolve()
        if self.path.parent.resolve() not in file.parents:
            raise ValueError(f"the result of {scenario} lies outside the folder of the manifest")
        columns = self._columns(result)
        frame = _read(file, artifact["format"], columns)
        for name, column in columns.items():
            levels = [one["level"] for one in column.get("levels", [])]
            if name in frame and column["kind"] == "categorical":
                further = sorted(set(frame[name].dropna().astype(str)) - set(levels))
                frame[name] = pd.Categorical(
                    frame[name].astype("string"), [*levels, *further], ordered=column.get("ordered", False)
                )
        labels = self.content["datasets"].get(result.get("dataset"), {}).get("labels", {})
        frame.attrs["labels"] = {name: label for name, label in labels.items() if name in frame}
        frame.attrs["standard_error_factor"] = result.get("standard_error_factor")
        return frame

    def standard_error_factor(self, scenario: str):
        """What standard errors of a statistics program are multiplied by; None where it is not known."""
        return self._scenario(scenario).get("standard_error_factor")

    def _scenario(self, scenario: str) -> dict:
        try:
            return self.content["scenarios"][scenario]
        except KeyError:
            raise KeyError(f"there is no scenario {scenario}; there are {', '.join(self.scenarios)}") from None

    def _columns(self, result: dict) -> dict:
        return self.content["datasets"].get(result.get("dataset"), {}).get("columns", {})


def _read(file: Path, form: str, columns: dict) -> pd.DataFrame:
    if form == "csv":
        # Levels are text, also those that look like numbers.
        text = {name: "string" for name, column in columns.items() if column["kind"] == "categorical"}
        return pd.read_csv(file, dtype=text, keep_default_na=False, na_values=[""], encoding="utf-8")
    if form == "parquet":
        return pd.read_parquet(file)
    if form == "arrow":
        return pd.read_feather(file)
    return pd.read_spss(os.fspath(file))


def _differences(place: dict, result: dict) -> list:
    rows = []
    for column, levels in result.get("shares", {}).items():
        for level, pair in levels.items():
            rows.append(_row({**place, "column": column, "level": level, "statistic": "share"}, pair, lambda side: side))
    for column, pair in result.get("means", {}).items():
        rows.append(_row({**place, "column": column, "statistic": "mean"}, pair, lambda side: (side or {}).get("mean")))
    for column, quantiles in result.get("quantiles", {}).items():
        for share, pair in quantiles.items():
            rows.append(_row({**place, "column": column, "statistic": f"quantile {share}"}, pair, lambda side: side))
    return rows


def _row(place: dict, pair: dict, value_of) -> dict:
    answer = pair.get("answer", {})
    low, high = pair.get("interval") or (None, None)
    return {
        **place,
        "against": answer.get("against", value_of(pair.get("against"))),
        "in_scenario": answer.get("scenario", value_of(pair.get("scenario"))),
        "difference": answer.get("difference", pair.get("delta")),
        "low": low,
        "high": high,
        "standard_error": pair.get("standard_error"),
        "beyond_chance": pair.get("beyond_chance"),
        "support": pair.get("support"),
        "in_rows": pair.get("delta"),
    }
