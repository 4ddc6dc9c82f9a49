import { describe, expect, it } from 'vitest'
import type { DatasetInputs } from '../../../src/records/state/generations.ts'
import { describeChanges } from '../../../src/runner/plan/describe-changes.ts'

const [WAVE_1, WAVE_2, SENT_1, SENT_2] = ['1', '2', 'a', 'b'].map((digit) => digit.repeat(64)) as [
  string,
  string,
  string,
  string,
]
type Inputs = Partial<Extract<DatasetInputs, { kind: 'file' }>>

/** The names of what changed in the data, each once. */
const changed = (before: Inputs, after: Inputs) => {
  const side = (inputs: Inputs) => ({
    body: '{}',
    dataset: 'panel',
    inputs: { kind: 'file', fileSha256: WAVE_1, autoClean: true, ...inputs } as const,
  })
  return describeChanges(side(before), side(after)).map(({ field }) => field.replace('dataset panel: ', ''))
}
const declared = (declarations: string, sent: string, seed?: string): Inputs => ({
  declarations: declarations.repeat(64),
  fileSha256: sent,
  ...(seed !== undefined && { seedSha256: seed }),
})

describe('changes of a seed file with declarations', () => {
  it.each([
    ['declared anew', {}, declared('c', SENT_1, WAVE_1), ['declarations']],
    ['declared anew, in another wave', {}, declared('c', SENT_2, WAVE_2), ['seed file', 'declarations']],
    ['declared no more, in another wave', declared('c', SENT_2, WAVE_2), {}, ['seed file', 'declarations']],
    ['another wave, declared alike', declared('c', SENT_1, WAVE_1), declared('c', SENT_2, WAVE_2), ['seed file']],
    ['other declarations of one wave', declared('c', SENT_1, WAVE_1), declared('d', SENT_2, WAVE_1), ['declarations']],
    ['one wave that is sent otherwise', declared('c', SENT_1, WAVE_1), declared('c', SENT_2, WAVE_1), ['seed file']],
    ['a state of an older version', declared('c', SENT_1), declared('d', SENT_2, WAVE_2), ['declarations']],
  ] as const)('are told: %s', (_, before, after, fields) => {
    expect(changed(before, after)).toEqual(fields)
  })
})
