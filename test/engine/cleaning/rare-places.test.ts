/** Rare levels: those of a scale stay, those of names become missing. */
import { describe, expect, it } from 'vitest'
import { cleanTable } from '../../../src/engine/clean.ts'
import { numbers, rows, table, texts } from './raw-columns.ts'

const N = 2_000
const keep = numbers(
  'keep',
  rows(N, (i) => i % 13),
)

type Level = readonly [level: string, rows: number]

/** Each level in so many rows; the first in all that are left. */
function answers(...levels: readonly Level[]): string[] {
  const rare = levels.slice(1).flatMap(([level, count]) => rows(count, () => level))
  return [...rare, ...rows(N - rare.length, () => levels[0]![0])]
}

function levelsOf(column: Parameters<typeof table>[0]) {
  const { schema, report } = cleanTable(table(keep, column), { autoClean: true })
  const entry = schema[1]
  if (entry?.type !== 'categorical') throw new Error('not categorical')
  return { levels: [...entry.levels].sort(), dropped: report.droppedLevels.flatMap(({ levels }) => levels) }
}

describe('a rare place of a scale', () => {
  it('stays if it is the 1 of an item from 1 to 7', () => {
    const values = answers(['5', 0], ['6', 600], ['7', 300], ['4', 200], ['3', 50], ['2', 3], ['1', 1]).map(Number)
    expect(levelsOf(numbers('item', values))).toEqual({ levels: ['1', '2', '3', '4', '5', '6', '7'], dropped: [] })
  })

  it.each<readonly [string, readonly Level[]]>([
    [
      'words',
      [
        ['Often', 0],
        ['Sometimes', 600],
        ['Never', 3],
        ['Always', 200],
        ['Rarely', 100],
      ],
    ],
    [
      'codes with words',
      [
        ['4 - Good', 0],
        ['5 - Very good', 500],
        ['3 - Fair', 90],
        ['2 - Poor', 9],
        ['1 - Very poor', 2],
      ],
    ],
    [
      'Spanish',
      [
        ['De acuerdo', 0],
        ['Muy de acuerdo', 500],
        ['En desacuerdo', 60],
        ['Muy en desacuerdo', 2],
      ],
    ],
  ])('stays in a scale of %s', (_, levels) => {
    const found = levelsOf(texts('item', answers(...levels)))
    expect(found).toEqual({ levels: levels.map(([level]) => level).sort(), dropped: [] })
  })

  it('stays while a text that is not on the scale becomes missing', () => {
    const found = levelsOf(
      texts('item', answers(['Often', 0], ['Sometimes', 600], ['Never', 3], ['Always', 200], ['ask my wife', 2])),
    )
    expect(found).toEqual({ levels: ['Always', 'Never', 'Often', 'Sometimes'], dropped: ['ask my wife'] })
  })

  it('stays while a rare answer outside the scale becomes missing', () => {
    const found = levelsOf(
      texts('item', answers(['Often', 0], ['Sometimes', 600], ['Never', 3], ['Always', 200], ['No answer', 2])),
    )
    expect(found.dropped).toEqual(['No answer'])
  })
})

describe('a rare level becomes missing', () => {
  it.each<readonly [string, readonly Level[]]>([
    [
      'regions',
      [
        ['North', 0],
        ['South', 600],
        ['West', 300],
        ['Islands', 2],
      ],
    ],
    [
      'two answers',
      [
        ['Yes', 0],
        ['No', 600],
        ['maybe', 2],
      ],
    ],
  ])('in a column of %s', (_, levels) => {
    expect(levelsOf(texts('c', answers(...levels))).dropped).toEqual([levels.at(-1)?.[0]])
  })

  it('in a scale of more than eleven places, whose ends show the amounts of few people', () => {
    const bands: [string, number][] = rows(15, (i) => [`${5 * i}-${5 * i + 4}`, i < 13 ? 100 : 2])
    expect(levelsOf(texts('age', answers(...bands))).dropped.sort()).toEqual(['65-69', '70-74'])
  })
})
