import { describe, expect, it } from 'vitest'
import type { RawColumn } from '../../../src/base/raw-table.ts'
import { applyDeclarations } from '../../../src/data/declare/apply-declarations.ts'
import { DeclarationError } from '../../../src/data/declare/declaration-error.ts'
import { proposeRules } from '../../../src/data/declare/propose-rules.ts'
import type { Declarations } from '../../../src/study/declarations.ts'
import { numbers, table, texts } from '../../engine/cleaning/raw-columns.ts'
import { ruleOf } from '../../engine/sampling/ruled-people.ts'

const day = (text: string) => Date.parse(text)

const COLUMNS = [
  numbers('age', [17, 30, null, 45, 16, 80]),
  texts('driver', ['No', 'Yes', 'Yes', 'Yes', 'Yes', null]),
  numbers('a', [0.1, 1, 2, 3, null, 5]),
  numbers('b', [0.2, 1, 2, 3, 4, 5]),
  numbers('total', [0.3, 2, 5, 6, 8, 10]),
  texts('code', ['1', '2', '2', '10', null, '3']),
  numbers(
    'start',
    ['2026-01-01', '2026-01-05', '2026-02-01', '2026-03-01', '2026-03-02', '2026-04-01'].map(day),
    'date',
  ),
  numbers('end', ['2026-01-01', '2026-01-06', '2026-01-30', '2026-03-09', '2026-03-02', '2026-04-02'].map(day), 'date'),
  numbers(
    'at',
    ['2026-01-01T10:00Z', '2026-01-06T00:00Z', null, null, null, null].map((text) =>
      text === null ? null : day(text),
    ),
    'date-time',
  ),
  texts('region', ['North', 'South', 'Far North', 'North', '3', 'South']),
]

async function declared(rules: readonly string[], more: Declarations = {}, columns: readonly RawColumn[] = COLUMNS) {
  return await applyDeclarations(table(...columns), { ...more, rules: rules.map(ruleOf) })
}

const remarks = async (...rules: string[]) =>
  (await declared(rules)).remarks.filter(({ key }) => key === 'rules').map(({ text }) => text)

async function faults(rules: readonly string[], more: Declarations = {}, columns: readonly RawColumn[] = COLUMNS) {
  const error = await declared(rules, more, columns).catch((cause: unknown) => cause)
  if (!(error instanceof DeclarationError)) throw error
  return error.texts
}

describe('rows of the file that break a rule', () => {
  it('are counted, and the first ones named', async () => {
    expect(await remarks('age >= 18 if driver = Yes', 'start <= end', 'a + b = total')).toEqual([
      'Rule "age >= 18 if driver = Yes": of 3 rows that it is about, 1 row (row 5) breaks it. Generated rows keep it.',
      'Rule "start <= end": of 6 rows that it is about, 1 row (row 3) breaks it. Generated rows keep it.',
      'Rule "a + b = total": of 5 rows that it is about, 1 row (row 3) breaks it. Generated rows keep it.',
    ])
  })

  it('keep one in which a column has no value, or that is not about them', async () => {
    expect(
      await remarks('age <= 90', 'a <= 90 if driver = No', 'a <= 90 if age > 100', 'a >= 0 if code in [10]'),
    ).toEqual([
      'Rule "age <= 90": all 5 rows that it is about keep it.',
      'Rule "a <= 90 if driver = No": the one row that it is about keeps it.',
      'Rule "a <= 90 if age > 100" is about no row of the file.',
      'Rule "a >= 0 if code in [10]": the one row that it is about keeps it.',
    ])
  })

  it('are found by days of dates and times, codes as numbers, and levels that look like numbers', async () => {
    expect(
      await remarks(
        'end - start <= 8',
        'at - start < 0.9',
        'start >= 2026-01-05',
        'code <= 3',
        'a <= 2 if region = 3',
        'region != 3',
        'age in [17, 30, 45, 80]',
      ),
    ).toEqual([
      'Rule "end - start <= 8": all 6 rows that it is about keep it.',
      'Rule "at - start < 0.9": of 2 rows that it is about, 1 row (row 2) breaks it. Generated rows keep it.',
      'Rule "start >= 2026-01-05": of 6 rows that it is about, 1 row (row 1) breaks it. Generated rows keep it.',
      'Rule "code <= 3": of 5 rows that it is about, 1 row (row 4) breaks it. Generated rows keep it.',
      'Rule "a <= 2 if region = 3" is about no row of the file.',
      'Rule "region != 3": of 6 rows that it is about, 1 row (row 5) breaks it. Generated rows keep it.',
      'Rule "age in [17, 30, 45, 80]": of 5 rows that it is about, 1 row (row 5) breaks it. Generated rows keep it.',
    ])
  })

  it('are told of columns that other declarations make', async () => {
    const { table: made, remarks: told } = await declared(
      ['gap <= 1', 'age.band not in [under 18] if driver = Yes'.replace('under 18', '"under 18"')],
      {
        bands: { 'age.band': { of: 'age', at: [18] } },
        differences: { gap: ['total', 'b'] },
      },
    )
    expect(told.filter(({ key }) => key === 'rules').map(({ text }) => text)).toEqual([
      'Rule "gap <= 1": of 6 rows that it is about, 4 rows (rows 3, 4, 5, 6) break it. Generated rows keep it.',
      'Rule "age.band not in ["under 18"] if driver = Yes": of 3 rows that it is about, 1 row (row 5) breaks it. Generated rows keep it.',
    ])
    expect(made.rules?.map(({ text }) => text)).toHaveLength(2)
  })
})

describe('rules that the file contradicts', () => {
  it.each<[string, string]>([
    ['agee >= 18', '`rules` of "agee": there is no such column, and rule "agee >= 18" names it; did you mean "age"?'],
    [
      'driver = No',
      '`rules` of "No": there is no such column, and rule "driver = No" names it; for a level of "driver" write driver in [No]',
    ],
    ['a <= 3 if drivers = Yes', 'did you mean "driver"?'],
    [
      'a <= 3 if driver = Yess',
      '`rules` of "driver": the column has no level "Yess", and rule "a <= 3 if driver = Yess" names it; did you mean "Yes"?',
    ],
    [
      'a <= 3 if region in [North, West]',
      'the column has no level "West", and rule "a <= 3 if region in [North, West]" names it; its levels are "3", "Far North", "North", "South"',
    ],
    [
      'region <= 3',
      'a comparison needs numbers or dates, and the column holds texts, such as "Far North", and rule "region <= 3" names it; declare texts that mean no number in `missing`, or compare levels, region in [Far North]',
    ],
    ['region = 4', 'the column has no level "4"'],
    ['age in [18, old]', 'the column holds numbers, and "old" is none'],
    [
      'age in [18.0]',
      'the column holds numbers, and "18.0" is another text for one, and rule "age in [18.0]" names it; write 18',
    ],
    ['start in [2026-01-01]', 'the column holds dates, which have no levels'],
    ['start <= 30', 'dates are compared with numbers, and rule "start <= 30" names it; compare dates with dates'],
    ['end - start <= 2026-01-01', 'numbers are compared with a date'],
    ['start + end <= 2026-01-01', 'dates are compared with numbers'],
    ['age <= 2026-01-01', 'numbers are compared with a date'],
    [
      'start > end + 9',
      '`rules` of "start > end + 9": no row keeps it: 6 rows (rows 1, 2, 3, 4, 5 …) that it is about break it; turn its sign round, or take it out',
    ],
    ['__proto__ <= 3', 'there is no such column'],
  ])('%s', async (rule, text) => expect((await faults([rule])).join()).toContain(text))

  it('are refused where no row keeps them together', async () => {
    expect((await faults(['b <= 2', 'b >= 3'])).join()).toContain(
      'each of the 6 rows breaks one of the 2 rules; take out those',
    )
  })

  it('quote no value of a dropped column', async () => {
    const dropped = { drop: ['region'], bands: {} }
    expect((await faults(['a <= 3 if region = West'], dropped)).join()).not.toContain('South')
  })

  it('name columns of any name', async () => {
    const columns = [numbers('__proto__', [1, 2]), numbers('constructor', [3, 1]), texts('größe "x"', ['a', '😀'])]
    const rules = ['__proto__ <= constructor', 'constructor >= 2 if "größe ""x""" = "😀"', '"größe ""x""" in [a, "😀"]']
    const { remarks: told } = await declared(rules.slice(0, 1).concat(rules.slice(2)), {}, columns)
    expect(told.map(({ text }) => text.slice(-60))).toHaveLength(2)
    expect((await faults([rules[1]!], {}, columns)).join()).toContain('no row keeps it: 1 row (row 2)')
  })

  it('are at most 200, which are counted one after another', async () => {
    const rules = Array.from({ length: 200 }, (_, i) => `age <= ${100 + i}`)
    expect((await declared(rules)).table.rules).toHaveLength(200)
  })
})

describe('rules that a study may want', () => {
  it('are the relations that training found, with the names of the file, if every row keeps them', () => {
    const headers = new Map([
      ['first.visit', 'first visit'],
      ['last', 'last'],
      ['gross', 'gross'],
    ])
    const columns = [numbers('first visit', [1, 2]), numbers('last', [3, 2]), numbers('gross', [1.19, 2.38])]
    const texts = [
      'first.visit <= last',
      'gross = 1.19 * last',
      'last < first.visit',
      'a never have the same level',
      'last = first.visit / 2',
      'gone <= last',
    ]
    expect(proposeRules(table(...columns), { texts, headers })).toEqual([
      {
        yaml: 'rules: ["\\"first visit\\" <= last"]',
        reason: 'relations that every row keeps; declared, generated rows keep them in every scenario',
      },
    ])
    expect(proposeRules(table(...columns), { texts: ['gone <= last'], headers })).toEqual([])
  })
})
