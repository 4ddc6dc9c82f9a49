import type { CatalogueText } from './diagnostic.ts'

/** Conditions: what a scenario asks for, by itself and against the cleaned schema of its dataset. */
export const CONDITION_CODES = {
  S2001: {
    title: 'Shares sum to more than 1',
    explanation:
      'The target shares of one column are parts of all generated rows and cannot sum to more than 1. When a scenario states a column, its map of levels replaces an inherited one as a whole. An axis with `set` changes one level only and keeps the others, so its values often cause such sums.',
  },
  S2002: {
    title: 'Range upside down',
    explanation: '`min` is greater than `max`, so no value can lie in the range. Exchange the two.',
  },
  S2003: {
    title: 'Range with one bound',
    explanation:
      'A range that leaves an end out takes it from the cleaned schema, and this schema does not report it. A request needs both ends. Write the other end.',
  },
  S2004: {
    title: 'No seed',
    explanation:
      'Every scenario needs a seed after defaults and patches are applied, because the same study must give the same rows. Write `seed: 1` (any integer) in `defaults` or in the scenario; `seed: random` draws one per run and records it.',
  },
  S2005: {
    title: 'No number of rows',
    explanation:
      'Every scenario needs `rows` after defaults and patches are applied: the number of rows to generate, which is also the most that can be billed. Write it in `defaults` or in the scenario.',
  },
  S2006: {
    title: 'Dataset not named',
    explanation:
      'The study has several datasets, so a scenario must say which one it uses. Write `dataset: <id>` in the scenario or in `defaults`. A backtest says it too, where its scenarios use several.',
  },
  S2007: {
    title: 'Unknown dataset',
    explanation:
      'A scenario names a dataset that is not under `datasets`, or a backtest one that no scenario uses: a run trains the datasets of its scenarios. Correct the name, or add the dataset or a scenario of it.',
  },
  S2008: {
    title: 'Column with shares and a range or a mean',
    explanation:
      'A column is either categorical, and then has shares, or numeric, and then has a range, a mean or both. Remove one of the two conditions; `column: null` removes an inherited one. Cells are of categorical columns, which may have shares as well.',
  },
  S2009: {
    title: 'Mean outside the range of its column',
    explanation:
      'The scenario states a range and a mean of one column, and the mean lies outside the range. All values lie inside the range, and so does their mean. Change one of the two.',
  },
  S2020: {
    title: 'Cells that cannot be read',
    explanation:
      'An entry of `cells` names two or three different columns under `of`, and each cell under `shares` is a list: a level of each column in that sequence, and the share of all rows that have them together, for example `[North, Female, 0.14]`.',
  },
  S2021: {
    title: 'A cell twice',
    explanation:
      'The same combination of levels is stated twice in one table of `cells`, or two tables are of the same columns. Remove one of the two, or put all cells of these columns into one table.',
  },
  S2022: {
    title: 'Cells that contradict the shares of their columns',
    explanation:
      'The cells with a level are a part of the rows that have the level, and so cannot sum to more than its share. If every combination with a level is stated, they sum to exactly its share. Change the cells or the share.',
  },
  S2102: {
    title: 'Unknown column',
    explanation:
      'The column is not in the cleaned schema of the dataset. Cleaning can rename columns (an underscore may become a dot) and drop them. Conditions therefore name the columns of the cleaned schema, never the headers of the file. `whatif inspect` lists the columns and shows what cleaning did with each header. The message names the sheet of a workbook that was read where there are others; `sheet` of the dataset chooses another one.',
  },
  S2103: {
    title: 'Unknown level',
    explanation:
      'The level is not among the retained levels of the column. Levels are compared exactly, and cleaning makes rare ones missing. `whatif inspect` lists the retained levels.',
  },
  S2104: {
    title: 'Column dropped by cleaning',
    explanation:
      'The column was in the file but cleaning dropped it, for the reason in the message. The model knows nothing about it. Remove the condition, or change the seed file so that cleaning keeps the column.',
  },
  S2105: {
    title: 'Wrong kind of condition',
    explanation:
      'Categorical columns take `shares`, numeric columns take `ranges` and `means`; a column of dates takes `ranges` alone. Move the condition to the other key and state levels or bounds accordingly. Comparisons follow the same rule: `shares` for categorical columns, `means` for numeric ones and for levels that are whole numbers. A column of answer codes can be either. It is read as the study uses it, unless the study uses it as both or the limit of new datasets is reached; `types` of the dataset decides.',
  },
  S2106: {
    title: 'Shares leave a remainder that no level can take',
    explanation:
      'Every retained level of the column is listed, the shares sum to less than 1, and the column has no missing values that could take the remainder. Make the shares sum to 1, or leave out the levels that may take the remainder.',
  },
  S2107: {
    title: 'Range outside the data',
    explanation:
      'The range does not overlap the range that the model was trained on, so no row can satisfy it. Models do not extrapolate. Choose a range that overlaps the trained one, which the message names.',
  },
  W2108: {
    title: 'Range partly outside the data',
    explanation:
      'Part of the range lies outside the trained range of the column. Generated values will lie in the part that overlaps; there is no extrapolation.',
  },
  N2109: {
    title: 'Remainder left to the model',
    explanation:
      'The stated shares sum to less than 1. The remaining rows get levels that are not listed, in the proportions that they have given everything else that the scenario states. State all levels if these proportions matter. There is no note when only one level is left and the column has no missing values: that level takes the remainder.',
  },
  N2110: {
    title: 'Unlisted levels implied 0',
    explanation:
      'The stated shares sum to 1, so the levels that are not listed get no rows at all. Let the shares sum to less than 1 if these levels should occur.',
  },
  N2111: {
    title: 'Columns that keep their cleaned names',
    explanation:
      'The study asks for the names of the seed file (`output: { names: original }`), and some columns of the results cannot have them. A column with several answers became one column per option. Or two columns of the result would have the same name. Or the service does not say how the file names its columns. These columns have the names that cleaning gave them.',
  },
  N2112: {
    title: 'Columns read as the study uses them',
    explanation:
      'The service took a column of answer codes for numbers, and the study uses its levels; or the other way round. The codes do not show which is right: 1 to 5 without a 1 looks like an amount. So the dataset was trained again, with the type that the study’s conditions and comparisons ask for. Declare the type under `types` of the dataset: then it is trained once, and the study says what it means.',
  },
  S2113: {
    title: 'Mean outside the data',
    explanation:
      'The mean of a column lies between the least and the greatest value that the model was trained on: no weights of the rows and no generated rows have another. At an end itself all rows would have one value; a range says that. Choose a mean between the two, which the message names. Shares, ranges and other means of the scenario may narrow what is possible further; then the service refuses the scenario and names the nearest possible mean.',
  },
  S2114: {
    title: 'Changed share outside 0 to 1',
    explanation:
      'A scenario states a share by what becomes of the natural one: `{ change: +0.10 }` adds 10 points, `{ change: "×1.2" }` multiplies. The result is a share of the rows and lies between 0 and 1. The message names the natural share; choose a smaller change.',
  },
  S2115: {
    title: 'Natural share not known',
    explanation:
      'A scenario changes the natural share of a level, and the cleaned schema does not tell that share: fewer than ten rows could be counted from it, or the service reports no shares of levels. Write the share itself, for example `{ "Yes": 0.4 }`.',
  },
} as const satisfies Record<string, CatalogueText>
