import { expect, it } from 'vitest'
import { foreseeDifferences } from '../../src/runner/estimates/foresee-differences.ts'
import { planFromDisk } from '../../src/runner/plan-from-disk.ts'
import { estimated } from './estimated-answer.ts'
import { STUDY } from './run-rig.ts'
import { double, rig, useRig } from './use-rig.ts'

useRig(`${STUDY}baseline: base
comparisons: [{ id: lift, scenarios: [young], means: [age] }]
`)

it.each([
  ['a date', 'date', 'date'],
  ['a time', 'date-time', 'date'],
  ['a number', undefined, undefined],
] as const)('the expected mean of %s says what its figures are', async (_, format, kind) => {
  await rig.run()
  double.estimates = (request) => estimated(request)
  const request = await rig.request()
  const { plan, facts } = await planFromDisk(request, rig.environment())
  const told = new Map(
    [...facts].map(([id, { schema, ...fact }]) => [
      id,
      { ...fact, schema: schema!.map((one) => (one.name === 'age' && format ? { ...one, format } : one)) },
    ]),
  )
  const client = await rig.environment().client()
  const call = { signal: new AbortController().signal, deadlineMs: rig.clock.now() + 60_000 }
  const found = await foreseeDifferences(request.study, plan, { open: async () => client, call, facts: told })
  await client.close()
  expect(found.lift?.scenarios.young?.means.age).toMatchObject({ delta: 2 })
  expect(found.lift?.scenarios.young?.means.age?.kind).toBe(kind)
})
