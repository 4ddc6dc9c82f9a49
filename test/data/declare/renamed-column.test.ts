import { describe, expect, it } from 'vitest'
import { applyDeclarations } from '../../../src/data/declare/apply-declarations.ts'
import { DeclarationError } from '../../../src/data/declare/declaration-error.ts'
import type { Declarations } from '../../../src/study/declarations.ts'
import { numbers, texts } from '../../engine/cleaning/raw-columns.ts'

const SCALE = ['never', 'sometimes', 'often', 'always']

const COLUMNS = [
  texts('how_often', ['never', 'often', 'always', 'refused', 'sometimes', 'often']),
  texts('region', ['North', 'South', 'North', 'South', 'North', 'South']),
  texts('Mitglied?', ['J', 'N', 'N', 'J', 'N', null]),
  numbers('q7', [1, 2, 5, 3, 4, 9]),
  numbers('age', [34, 51, 17, 28, 65, 80]),
]

async function messages(declarations: Declarations, columns = COLUMNS): Promise<readonly string[]> {
  const table = { rowCount: 6, sampleRows: 6, columns, droppedRows: { empty: 0, repeatedHeader: 0 }, notes: [] }
  const error = await applyDeclarations(table, declarations).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(DeclarationError)
  return (error as DeclarationError).texts
}

const named = (now: string, line: string): string =>
  `the file has no such column; if "${now}" is the same, write in the dataset's entry: columns: { ${line} }`

describe('a declared column that a new file has no more', () => {
  it('is named again where one column holds what its levels list', async () => {
    const declarations = { levels: { visits: SCALE }, missing: { visits: ['refused'] } }
    const advice = named('how_often', 'visits: how_often')
    expect(await messages(declarations)).toEqual([
      `\`missing\` of "visits": ${advice}`,
      `\`levels\` of "visits": ${advice}`,
    ])
  })

  it('is named again where one column holds what is recoded, by a name in quotation marks', async () => {
    const recode = { member: { J: 'Yes', N: 'No' } }
    const advice = named('Mitglied?', 'member: "Mitglied?"')
    expect(await messages({ recode })).toEqual([`\`recode\` of "member": ${advice}`])
    const levels = { member: ['No', 'Yes'] }
    expect(await messages({ recode, levels })).toContain(`\`levels\` of "member": ${advice}`)
  })

  it('is named again where its levels are codes that were read as numbers', async () => {
    const declarations = { levels: { trust: ['1', '2', '3', '4', '5'] }, missing: { trust: ['9'] } }
    expect((await messages(declarations))[0]).toContain('columns: { trust: q7 }')
  })

  it.each<readonly [string, Declarations, readonly ReturnType<typeof texts>[]]>([
    ['a column with one value that the list lacks', { levels: { visits: ['never', 'often', 'always', 'rarely'] } }, []],
    [
      'a column that the study names otherwise',
      { levels: { visits: SCALE }, missing: { visits: ['refused'] }, drop: ['how_often'] },
      [],
    ],
    [
      'two columns with these levels',
      { levels: { visits: SCALE }, missing: { visits: ['refused'] } },
      [texts('usage', ['never', 'often', 'always', 'often', 'never', null])],
    ],
    [
      'two names that are gone with these levels',
      { levels: { visits: SCALE, usage: SCALE }, missing: { '*': ['refused'] } },
      [],
    ],
    ['a column with one of many levels', { levels: { visits: ['North', 'South', 'East', 'West', 'Centre'] } }, []],
    ['a type alone', { types: { visits: 'ordinal' } }, []],
  ])('gets no new name from %s', async (_, declarations, more) => {
    expect((await messages(declarations, [...COLUMNS, ...more])).join('\n')).not.toContain('columns: {')
  })

  it('that is almost another name is taken for a slip', async () => {
    expect(await messages({ levels: { regio: ['North', 'South'] } })).toEqual([
      '`levels` of "regio": the file has no such column; did you mean "region"?',
    ])
  })
})

describe('a listed level that a new file has no more', () => {
  it('is kept by recode where one other value took its place', async () => {
    const [message] = await messages({ levels: { how_often: [...SCALE.slice(0, 3), 'on every visit', 'refused'] } })
    expect(message).toContain(
      '; if "always" is another word for "on every visit", write recode: { how_often: { always: on every visit } }',
    )
  })

  it.each<readonly [string, readonly string[]]>([
    ['several are gone', ['never', 'sometimes', 'often', 'daily', 'refused', 'hourly']],
    ['none is gone', ['never', 'sometimes', 'often', 'refused']],
  ])('gets no advice where %s', async (_, levels) => {
    expect((await messages({ levels: { how_often: levels } }))[0]).not.toContain('recode')
  })

  it('gets no advice where the other value is a slip', async () => {
    const [message] = await messages({ levels: { how_often: ['never', 'sometimess', 'often', 'always', 'refused'] } })
    expect(message).toContain('did you mean "sometimess"?')
    expect(message).not.toContain('recode')
  })

  it('of many is left to recode', async () => {
    const [message] = await messages({ levels: { how_often: ['nie', 'manchmal', 'oft', 'immer', 'refused'] } })
    expect(message).toContain('if they are other words for levels of the list, `recode` maps them')
  })
})
