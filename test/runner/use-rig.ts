import { afterEach, beforeEach } from 'vitest'
import { makeRig, type Rig, STUDY } from './run-rig.ts'
import { type ServiceDouble, startServiceDouble } from './service-double.ts'

/** Made anew for each test of a file that says `useRig`. */
export let double: ServiceDouble
export let rig: Rig

export function useRig(study = STUDY): void {
  beforeEach(async () => {
    double = await startServiceDouble()
    rig = await makeRig(double, study)
  })

  afterEach(async () => {
    await rig.remove()
    await double.close()
  })
}
