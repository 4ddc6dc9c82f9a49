import type { CleaningSummary, SchemaColumn } from '../../contract/datasets.ts'
import type { CleaningReport } from '../../engine/cleaning/cleaning-report.ts'
import type { SchemaEntry } from '../../engine/cleaning/schema-entry.ts'

/** What cleaning did, in the contract's words. */
export function cleaningSummary(report: CleaningReport): CleaningSummary {
  return {
    input_rows: report.inputRows,
    input_columns: report.inputColumns,
    clean_rows: report.cleanRows,
    clean_columns: report.cleanColumns,
    dropped_columns: report.droppedColumns.map(({ name, reason, detail }) => ({ name, reason, detail })),
    renamed_columns: report.renamedColumns.map(({ from, to }) => ({ from, to })),
    ...(report.splitColumns.length > 0 && {
      split_columns: report.splitColumns.map(({ from, separator, into, otherAnswers, otherAnswersOmitted }) => ({
        from,
        separator,
        into: into.map(({ name, option, rows }) => ({ name, option, rows })),
        ...(otherAnswers.length > 0 && { other_answers: [...otherAnswers] }),
        ...(otherAnswersOmitted > 0 && { other_answers_omitted: otherAnswersOmitted }),
      })),
    }),
    dropped_levels: report.droppedLevels.map(({ column, levels, levelsOmitted, rows }) => ({
      column,
      levels: [...levels],
      ...(levelsOmitted > 0 && { levels_omitted: levelsOmitted }),
      rows,
    })),
    dropped_rows: { empty: report.droppedRows.empty, repeated_header: report.droppedRows.repeatedHeader },
    notes: [...report.notes],
    ...(report.notesOmitted > 0 && { notes_omitted: report.notesOmitted }),
  }
}

/** A column of the cleaned schema, in the contract's words. */
export function schemaColumn(entry: SchemaEntry): SchemaColumn {
  const rest = { source_name: entry.sourceName, missing_share: entry.missingShare }
  if (entry.type === 'categorical') {
    return {
      name: entry.name,
      type: 'categorical',
      levels: [...entry.levels],
      ...(entry.sourceOption !== null && { source_option: entry.sourceOption }),
      ...rest,
    }
  }
  return {
    name: entry.name,
    type: 'numeric',
    min: entry.min,
    max: entry.max,
    integer: entry.integer,
    ...(entry.format !== null && { format: entry.format }),
    ...rest,
  }
}
