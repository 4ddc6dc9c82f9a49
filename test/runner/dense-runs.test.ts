import { expect, it } from 'vitest'
import { STUDY } from './run-rig.ts'
import { rig, useRig } from './use-rig.ts'

// 40 rows of the seed.
useRig(STUDY.replace('rows: 100', 'rows: 900'))

it('a run reports more than 20 rows for each row of the seed file once they are generated, and its manifest does not', async () => {
  const codes = async () => (await rig.run()).diagnostics.map(({ code }) => code)
  expect(await codes()).toContain('N4404')
  expect(JSON.stringify(await rig.manifest())).not.toContain('N4404')
  expect(await codes(), 'nothing is bought').not.toContain('N4404')
})
