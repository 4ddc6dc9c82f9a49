import { describe, expect, it } from 'vitest'
import { applyDeclarations } from '../../../src/data/declare/apply-declarations.ts'
import { DeclarationError } from '../../../src/data/declare/declaration-error.ts'
import { levelText } from '../../../src/data/declare/raw-values.ts'
import type { Declarations } from '../../../src/study/declarations.ts'
import { numbers, table, texts } from '../../engine/cleaning/raw-columns.ts'

const COLUMNS = [
  numbers('q', [1, 4, 5, null, 3, 4]),
  texts('mood', ['low', 'high', 'very high', null, 'low', 'high']),
  numbers('recommend', [0, 6, 7, 8, 9, 10]),
  texts('age', ['18', '30', '41', '50', '60', '70']),
]

async function declared(declarations: Declarations) {
  const { table: made, remarks } = await applyDeclarations(table(...COLUMNS), declarations)
  const names = made.columns.map(({ name }) => name)
  const values = (name: string) => {
    const column = made.columns.find((one) => one.name === name)!
    return Array.from({ length: made.rowCount }, (_, row) => levelText(column, row))
  }
  return { names, values, remarks: remarks.map(({ key, text }) => `${key}: ${text}`) }
}

async function faults(declarations: Declarations): Promise<readonly string[]> {
  const error = await applyDeclarations(table(...COLUMNS), declarations).catch((cause: unknown) => cause)
  if (!(error instanceof DeclarationError)) throw error
  return error.texts
}

describe('a net', () => {
  it.each<[string, Declarations, string]>([
    ['numbers', { nets: { net: { of: 'q', levels: ['4', '5'] } } }, 'q'],
    ['numbers with a type', { types: { q: 'ordinal' }, nets: { net: { of: 'q', levels: ['4', '5'] } } }, 'q'],
    ['words', { nets: { net: { of: 'mood', levels: ['high', 'very high'] } } }, 'mood'],
  ])('is Yes for its levels, No for others, missing without an answer: of %s', async (_, declarations, of) => {
    const { names, values, remarks } = await declared(declarations)
    expect(names[names.indexOf(of) + 1]).toBe('net')
    expect(values('net')).toEqual(['No', 'Yes', 'Yes', null, 'No', 'Yes'])
    expect(remarks.at(-1)).toMatch(/^nets: "net" is Yes in 3 rows with "(4|high)", "(5|very high)" of "(q|mood)"\.$/)
  })

  it('follows the missing values and other words of its column, which may be dropped', async () => {
    const { names, values } = await declared({
      missing: { q: [3] },
      recode: { mood: { 'very high': 'high' } },
      drop: ['q'],
      nets: { top: { of: 'q', levels: ['4', '5'] }, glad: { of: 'mood', levels: ['high'] } },
    })
    expect(names).toEqual(['top', 'mood', 'glad', 'recommend', 'age'])
    expect(values('top')).toEqual(['No', 'Yes', 'Yes', null, null, 'Yes'])
    expect(values('glad')).toEqual(['No', 'Yes', 'Yes', null, 'No', 'Yes'])
  })

  it('leaves out a code that nobody ticked this time, and says so', async () => {
    const { values, remarks } = await declared({ nets: { low: { of: 'q', levels: ['1', '2'] } } })
    expect(values('low')).toEqual(['Yes', 'No', 'No', null, 'No', 'No'])
    expect(remarks).toEqual(['nets: "low" is Yes in 1 row with "1", "2" of "q"; no row has "2".'])
  })

  it.each<[string, Declarations, string]>([
    [
      'a misspelt level',
      { nets: { glad: { of: 'mood', levels: ['high', 'very hihg'] } } },
      '`nets` of "mood": no row has "very hihg"; did you mean "very high"?',
    ],
    [
      'levels that no row has',
      { nets: { glad: { of: 'mood', levels: ['9'] } } },
      '`nets` of "mood": no row has "9"; the levels are "high", "low", "very high"',
    ],
    [
      'levels that no row of a dropped column has: its values stay here',
      { drop: ['mood'], nets: { glad: { of: 'mood', levels: ['very hihg'] } } },
      '`nets` of "mood": no row has "very hihg"',
    ],
    [
      'a misspelt column',
      { nets: { glad: { of: 'moood', levels: ['high'] } } },
      '`nets` of "moood": the file has no such column; did you mean "mood"?',
    ],
    [
      'the name of a column',
      { nets: { age: { of: 'mood', levels: ['high'] } } },
      '`nets` of "age": the file has a column of this name already; name the net "age.net"',
    ],
  ])('is refused with %s', async (_, declarations, text) => {
    expect(await faults(declarations)).toEqual([text])
  })
})

describe('a net promoter score', () => {
  it('is the mean of -100 to 6, 0 to 8 and 100 from 9 on', async () => {
    const { names, values, remarks } = await declared({ nps: ['recommend'] })
    expect(names).toEqual(['q', 'mood', 'recommend', 'recommend.nps', 'age'])
    expect(values('recommend.nps')).toEqual(['-100', '-100', '0', '0', '100', '100'])
    expect(remarks).toEqual(['nps: The mean of "recommend.nps" is the net promoter score of "recommend".'])
  })

  it('is refused for other values, which may be declared missing', async () => {
    expect(await faults({ nps: ['age'] })).toEqual([
      '`nps` of "age": a recommendation is a whole number from 0 to 10, and 6 values (rows 1, 2, 3, 4, 5 …) are not, such as "18"; declare values that are no answer under `missing`, or recode the answers',
    ])
    expect((await declared({ nps: ['q'], missing: { q: [1] } })).values('q.nps')).toEqual([
      null,
      '-100',
      '-100',
      null,
      '-100',
      '-100',
    ])
  })
})
