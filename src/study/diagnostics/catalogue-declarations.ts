import type { CatalogueText } from './diagnostic.ts'

/** What a study declares about the file of a dataset. */
export const DECLARATION_CODES = {
  S1401: {
    title: 'Dropped column is used',
    explanation:
      'A column under `drop` never leaves this machine, so nothing else can use it: no other declaration, no condition and no comparison. Only bands, nets, scores and differences can be made of it, with its `missing` values and its type: then they are all that is sent of it. Remove it from `drop`, or remove the use that the message names.',
  },
  S1402: {
    title: 'Declared twice',
    explanation:
      'A list names the same column, level or value twice. In `levels` the sequence is the order of the levels, so a level can have one place only. Remove one of the two.',
  },
  S1403: {
    title: 'Declarations that contradict each other',
    explanation:
      'Two declarations say different things about one column. A weight and the column of a band are numeric. A column with `levels` is ordinal or categorical, and a column with a date format is a datetime. Change one of the two.',
  },
  S1405: {
    title: 'Weight used as a column',
    explanation:
      'The column with the survey weights says how many people each row stands for. It is not an answer, so it has no levels, bands, nets, scores or differences, and no condition or comparison can use it. Use another column, or remove `weight`.',
  },
  S1406: {
    title: 'Cuts not ascending',
    explanation:
      'The cuts of a band ascend, and each is the least value of the band that it begins: [18, 30, 45] makes "under 18", "18-29", "30-44" and "45 and over". Sort them and remove repeated ones.',
  },
  S1407: {
    title: 'Name of a new column already taken',
    explanation:
      'A band, a net, a score or a difference is a new column beside the columns of the file, so it needs a name of its own. It is made from columns of the file, not from other new ones; only bands are also made of scores and differences.',
  },
  S1408: {
    title: 'Not a date format',
    explanation:
      'A date format says what stands where: YYYY or YY is the year, MM or M the month, mon or MMM the first three letters of its English name, DD or D the day, HH or H the hour, mm the minute, ss the second. Spaces or these characters separate them: / . , : - _ T. Year, month and day are needed; M, D and H need a separator after them.',
  },
  S1409: {
    title: 'Unknown encoding',
    explanation:
      'Encodings have the names and labels of the WHATWG Encoding Standard: utf-8, utf-16le, windows-1250 to windows-1258, iso-8859-2 to iso-8859-16, macintosh, koi8-r, gb18030, big5, shift_jis, euc-jp, euc-kr and others.',
  },
  S1410: {
    title: 'Level that is declared missing',
    explanation:
      'A value under `missing` stands for no answer. Rows with it have no value in that column, so it cannot be a level of an order or of a condition. Remove it from one of the two places.',
  },
  W1411: {
    title: 'Number in quotes among missing values',
    explanation:
      'In a column of numbers a missing value is a number: 98 without quotes. Text in quotes is found in columns of text only. Remove the quotes, unless the column holds text such as postal codes.',
  },
  S1412: {
    title: 'Unknown band or level of a net',
    explanation:
      'A band has the levels that its cuts make: [18, 30, 45] makes "under 18", "18-29", "30-44" and "45 and over" of whole numbers, and "under 18", "18 to under 30", "30 to under 45" and "45 and over" of others. A net has the levels Yes and No. The message lists them.',
  },
  W1413: {
    title: 'Column that may be dropped',
    explanation:
      'Cleaning writes names with dots, so the column that is used here may be the one under `drop`, or a column of the design. Such a column is not in the cleaned data. Remove one of the two, or ignore the warning if the file has both columns.',
  },
  S1414: {
    title: 'Column of the design used as a column',
    explanation:
      'Strata, clusters and replicate weights say how the rows were drawn. Standard errors use them; the model does not, and they are not in the cleaned data. So they have no levels, bands or nets, and no condition or comparison can use them. To use such a column as an answer too, such as a region that is also the stratum, copy it under another name in the file.',
  },
  S1415: {
    title: 'Design that cannot be used',
    explanation:
      'A design names strata, clusters or both; or it names replicate weights, which stand in their place, with the weight that they vary. Each column says one thing, and there is one weight. Fay’s method needs `rho`, at least 0 and less than 1; no other type has one. The scale is more than 0. The message says what to change.',
  },
  S1416: {
    title: 'More answers than items',
    explanation:
      'A score is the mean of the items that a row has answered, if they are at least `min_answered`. That number is at most the number of items. Without it, half of the items are enough.',
  },
  S1417: {
    title: 'Not a rule',
    explanation:
      'A rule has sums of columns, numbers and dates on both sides of =, !=, <, <=, > or >=: `start <= end`, `2 * a + b = total`; or a column and its levels: `pregnant in [No]`. After `if` stand conditions of the rows that it is about, joined by `and`: `age >= 18 if driver = Yes and region in [North, South]`. Names and levels with other characters than letters, digits, dots and underscores stand in quotes. There are no parentheses, no divisions and no products of columns.',
  },
} as const satisfies Record<string, CatalogueText>
