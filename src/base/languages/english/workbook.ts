/** The sheets of a workbook. Heads that a report has, too, stand with the tables of the report. */

export const WORKBOOK = {
  sheets: { targets: 'Targets', backtest: (id: string): string => `Backtest ${id}` },
  /** What a sheet has, in the list of contents. */
  about: {
    by: (column: string): string => `, by ${column}`,
    differences: 'All differences with their 95 % intervals',
    targets: 'What each scenario asks for, and what its rows have',
    provenance: 'Data, models and digests, to cite and to repeat',
  },
  ended: (at: string): string => `Run ended ${at}`,
  notEnded: 'The run has not ended.',
  howToRead: 'How to read it',
  letters:
    'A letter beside a figure: the figure is higher than that of the column with this letter, beyond chance. Whether a difference is beyond chance is judged from the paired differences of the comparisons, among all questions of the study (Benjamini and Hochberg, 5 %). Columns that no comparison holds side by side have no letters of each other.',
  bases:
    'Base: rows of the seed that a figure is made of. Effective base: as many equally weighted rows say as much. Where they are empty, the service does not tell them. Figures show the digits that their standard errors support; the cells have all.',
  heads: {
    sheet: 'Sheet',
    has: 'What it has',
    comparison: 'Comparison',
    segment: 'Segment',
    question: 'Question',
    answer: 'Answer',
    group: 'Group',
    unit: 'Unit',
    low: '95 % from',
    high: '95 % to',
    errorOf: (what: string): string => `${what}, error`,
  },
  allRows: 'All rows',
  rowsWith: (where: string): string => `Rows: ${where}`,
  /** Of rows or segments. */
  all: 'All',
  base: 'Base: rows of the seed',
  effectiveBase: 'Effective base',
  rangeOf: (column: string): string => `range of ${column}`,
  terms: {
    study: 'Study',
    name: 'Name',
    description: 'Description',
    id: 'Id',
    trial: 'Trial, rows at most',
    cleanRows: 'Rows after cleaning',
    cleanColumns: 'Columns after cleaning',
  },
}
