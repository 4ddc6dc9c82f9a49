import { describe, expect, it } from 'vitest'
import { applyDeclarations } from '../../../src/data/declare/apply-declarations.ts'
import { DeclarationError } from '../../../src/data/declare/declaration-error.ts'
import type { Declarations } from '../../../src/study/declarations.ts'
import { numbers, texts } from '../../engine/cleaning/raw-columns.ts'

const COLUMNS = [
  numbers('age', [34, 51, 17, 28, 65, 80]),
  texts('satisfaction', ['never', 'often', 'alwayss', 'often', 'never', null]),
  texts('income', ['1200', 'n.s.', '900', 'dk', 'dk', '2100']),
  texts('visited', ['31/12/2024', '12/31/2024', '30/02/2024', '01/01/2025', null, null]),
  numbers('day', [Date.UTC(2024, 0, 1), null, null, null, null, null], 'date'),
  texts('name', ['Ann', 'Bo', 'Cy', 'Di', 'Ed', 'Flo']),
  numbers('pondera', [0.5, -1, 1, 1, -0.1, 2]),
  texts('comment', ['\u009b31m', 'x'.repeat(1_000), '1', '2', '3', null]),
]

/** Declarations that the data contradict, and all that is said about each. */
const MISTAKES: readonly (readonly [what: string, declarations: Declarations, messages: readonly string[]])[] = [
  [
    'a misspelt column in each key',
    { weight: 'ponderaa', drop: ['naame'], missing: { Age: [99] }, types: { incom: 'numeric' } },
    [
      '`weight` of "ponderaa": the file has no such column; did you mean "pondera"?',
      '`drop` of "naame": the file has no such column; did you mean "name"?',
      '`missing` of "Age": the file has no such column; did you mean "age"?',
      '`types` of "incom": the file has no such column; did you mean "income"?',
    ],
  ],
  [
    'a misspelt column of levels, bands and dates',
    {
      levels: { satisfactoin: ['never'] },
      bands: { 'age.band': { of: 'agee', at: [18] } },
      dates: { visitd: 'DD/MM/YYYY' },
    },
    [
      '`levels` of "satisfactoin": the file has no such column; did you mean "satisfaction"?',
      '`bands` of "agee": the file has no such column; did you mean "age"?',
      '`dates` of "visitd": the file has no such column; did you mean "visited"?',
    ],
  ],
  [
    'a column that is nowhere near',
    { drop: ['respondent_no'] },
    [
      '`drop` of "respondent_no": the file has no such column; the columns are "age", "satisfaction", "income", "visited", "day", "name", "pondera", "comment"',
    ],
  ],
  [
    'codes in typographic quotation marks',
    { missing: { income: ['“n.s.”'], age: ['‘17’'], '*': ['«dk»', '„gone“'] } },
    [
      '`missing` of "income": "«dk»" has typographic quotation marks and never occurs, but "dk" does; write "dk"',
      '`missing` of "income": "“n.s.”" has typographic quotation marks and never occurs, but "n.s." does; write "n.s."',
      '`missing` of "age": "‘17’" has typographic quotation marks and never occurs, but "17" does; write 17',
    ],
  ],
  [
    'levels that lack a value',
    { levels: { satisfaction: ['never', 'sometimes', 'often', 'always'] } },
    [
      '`levels` of "satisfaction": the list lacks 1 value of the file: "alwayss"; add it, or declare it in `missing`, or correct a spelling: "alwayss", did you mean "always"?',
    ],
  ],
  [
    'levels of a dropped column, whose values stay here',
    { levels: { name: ['Ann', 'Bo'] }, drop: ['name'] },
    ['`levels` of "name": the list lacks 4 values of the file; add them, or declare them in `missing`'],
  ],
  [
    'texts in a numeric column',
    { types: { income: 'numeric' } },
    [
      '`types` of "income": numeric was declared, and no number is in 3 values (rows 2, 4, 5): "dk", "n.s."; if these mean that there is no answer, declare them: missing: { income: ["dk", "n.s."] }',
    ],
  ],
  [
    'texts that are no copy for a study, in a numeric column',
    { types: { comment: 'numeric' } },
    [
      `\`types\` of "comment": numeric was declared, and no number is in 2 values (rows 1, 2): "${'x'.repeat(59)}…", "\\x9b31m"; if these mean that there is no answer, declare them: \`missing\``,
    ],
  ],
  [
    'texts in a dropped column',
    { types: { name: 'numeric' }, drop: ['name'] },
    [
      '`types` of "name": numeric was declared, and no number is in 6 values (rows 1, 2, 3, 4, 5 …); if these mean that there is no answer, declare them: `missing`',
    ],
  ],
  [
    'dates as numbers',
    { types: { day: 'numeric' } },
    ['`types` of "day": numeric was declared, and the column holds dates; write datetime'],
  ],
  [
    'numbers as dates',
    { types: { age: 'datetime' } },
    [
      '`types` of "age": datetime was declared, and the column holds numbers; write the format of the dates in `dates`, such as YYYY',
    ],
  ],
  [
    'dates whose format only the author knows',
    { types: { visited: 'datetime' } },
    [
      '`types` of "visited": datetime was declared, and no date in the form 2024-12-31 is in 4 values (rows 1, 2, 3, 4): "01/01/2025", "12/31/2024", "30/02/2024" and 1 more; give the format in `dates`, such as DD/MM/YYYY',
    ],
  ],
  [
    'neither true nor false',
    { types: { age: 'boolean' } },
    [
      '`types` of "age": boolean was declared, and neither true nor false, yes nor no, 1 nor 0 is in 6 values (rows 1, 2, 3, 4, 5 …): "17", "28", "34" and 3 more; write categorical',
    ],
  ],
  [
    'dates that do not match, or are none',
    { dates: { visited: 'DD/MM/YYYY' } },
    [
      '`dates` of "visited": the format is "DD/MM/YYYY", which does not match 2 values (rows 2, 3): "12/31/2024", "30/02/2024"; if these mean that there is no answer, declare them: missing: { visited: ["12/31/2024", "30/02/2024"] }',
    ],
  ],
  [
    'a format of nothing',
    { dates: { visited: 'dd.mm.jjjj' } },
    [
      '`dates` of "visited": "dd.mm.jjjj" is no format of a date; write it with YYYY or YY, MM, M or MMM, and DD or D, such as DD/MM/YYYY; times are HH:mm:ss',
    ],
  ],
  [
    'bands of texts, and of dates',
    { bands: { a: { of: 'income', at: [1000] }, b: { of: 'day', at: [1000] } } },
    [
      '`bands` of "income": bands need numbers, and the column holds texts; declare the texts that mean no number in `missing`',
      '`bands` of "day": bands need numbers, and the column holds dates',
    ],
  ],
  [
    'bands that fall, or have the name of a column',
    { bands: { 'age.band': { of: 'age', at: [30, 18] } } },
    ['`bands` of "age": the cuts of bands must rise; write them as [18, 30, 45, 65]'],
  ],
  [
    'bands with the name of a column',
    { bands: { age: { of: 'age', at: [18] } } },
    ['`bands` of "age": the file has a column of this name already; name the bands "age.band"'],
  ],
  [
    'weights below zero',
    { weight: 'pondera' },
    ['`weight` of "pondera": a weight is not negative: 2 values (rows 2, 5)'],
  ],
  [
    'rows without a weight',
    { weight: 'pondera', missing: { pondera: [-1, -0.1] } },
    ['`weight` of "pondera": no weight is in 2 rows (rows 2, 5); write 0 for rows that count for nobody'],
  ],
  [
    'weights that are texts',
    { weight: 'income' },
    [
      '`weight` of "income": a weight is a number, and the column holds other values, such as "dk"; correct them in the file; 0 leaves a row out',
    ],
  ],
  [
    'a weight that is dropped',
    { weight: 'age', drop: ['age'] },
    ['`weight` of "age": the study drops the column; take it out of `drop`'],
  ],
  [
    'levels of a number',
    { types: { age: 'numeric' }, levels: { age: ['17'] } },
    ['`levels` of "age": the column is declared numeric, which has no levels; write ordinal in `types`'],
  ],
  [
    'nothing that is left',
    { drop: COLUMNS.map(({ name }) => name) },
    ['`drop` of "age": no column is left; keep at least one'],
  ],
]

async function messagesOf(declarations: Declarations): Promise<readonly string[]> {
  const droppedRows = { empty: 0, repeatedHeader: 0 }
  try {
    await applyDeclarations({ rowCount: 6, sampleRows: 6, columns: COLUMNS, droppedRows, notes: [] }, declarations)
  } catch (error) {
    if (error instanceof DeclarationError) return error.texts
    throw error
  }
  return []
}

describe('declarations that the data contradict', () => {
  it.each(MISTAKES)('are reported: %s', async (_what, declarations, messages) => {
    expect(await messagesOf(declarations)).toEqual(messages)
  })

  it('are reported without characters that a terminal would interpret', async () => {
    expect((await messagesOf({ drop: ['a\u001b[31m'] }))[0]).toContain('"a\\x1b[31m"')
  })

  it('include a column named like a property of every object', async () => {
    expect(await messagesOf({ types: JSON.parse('{"__proto__":"numeric"}') as Record<string, 'numeric'> })).toEqual([
      '`types` of "__proto__": the file has no such column; the columns are "age", "satisfaction", "income", "visited", "day", "name", "pondera", "comment"',
    ])
  })
})
