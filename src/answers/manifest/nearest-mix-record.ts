import type { DeepReadonly } from '../../base/deep-readonly.ts'
import type { NearestMix } from '../../contract/nearest-mix.ts'
import type { NearestMixRecord } from '../../records/manifest/scenarios.ts'

/** A mix as a service reported it, or a state kept it: from JSON, which has no member that is undefined, as the type might. */
export const nearestMixRecord = (mix: DeepReadonly<NearestMix>): NearestMixRecord => mix as NearestMixRecord
