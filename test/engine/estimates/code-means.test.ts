import { describe, expect, it } from 'vitest'
import { estimateDifferences } from '../../../src/engine/estimates/estimate-differences.ts'
import { PURPOSE, RandomStream } from '../../../src/engine/sampling/random.ts'
import { encodeTable } from '../../../src/engine/train.ts'
import { scenario } from '../scenario/written-scenario.ts'
import { categorical, numeric, tableOf } from '../survey-table.ts'

/** Answers from 1 to 5, some missing, by members more than by others; once as levels and once as numbers. */
function answers() {
  const random = new RandomStream(4, PURPOSE.value)
  const member: string[] = []
  const code: (number | null)[] = []
  const region: string[] = []
  for (let row = 0; row < 600; row++) {
    const isMember = random.real() < 0.4
    member.push(isMember ? 'yes' : 'no')
    region.push(random.real() < 0.5 ? 'north' : 'south')
    code.push(random.real() < 0.1 ? null : 1 + Math.floor(4.999 * random.real() ** (isMember ? 0.6 : 1)))
  }
  return tableOf([
    categorical('member', member),
    categorical('region', region),
    categorical(
      'levels',
      code.map((of) => (of === null ? null : String(of))),
    ),
    numeric('numbers', code),
    categorical(
      'words',
      code.map((of) => (of === null ? null : `answer ${of}`)),
    ),
  ])
}

const ask = async (column: string, isMean: boolean) =>
  estimateDifferences(await encodeTable(answers(), { threads: 1 }), {
    scenario: scenario({ member: { yes: 0.7 } }, {}),
    baseline: scenario({}, {}),
    outcomes: [{ column, base: 'all', isMean }],
    by: 'region',
    maxLevels: 50,
    disclosure: 'exact',
  })

describe('the mean of a column whose levels are whole numbers', () => {
  it('is that of the same numbers, with its error and its base, inside segments too', async () => {
    const [ofLevels, ofNumbers] = [await ask('levels', true), await ask('numbers', false)]
    const renamed = JSON.parse(JSON.stringify(ofLevels).replaceAll('"levels"', '"numbers"'))
    expect(renamed).toEqual(JSON.parse(JSON.stringify(ofNumbers)))
    expect(renamed.outcomes[0].mean.difference).toBeGreaterThan(0.1)
  })

  it('is refused where the levels are words', async () => {
    await expect(ask('words', true)).rejects.toThrow(
      /^column words has the level answer \d, which is no number, and takes no mean$/,
    )
  })
})
