import { canonicalJson } from '../../base/canonical-json.ts'
import { sha256Hex } from '../../base/sha256.ts'
import { bodyFields } from '../hashing/canonical-body.ts'
import type { Scenario, Shard, Study } from '../study.ts'
import { trialFolder } from '../trial-study.ts'

/** More parts than this are a typing error: each of them starts a process. */
export const MOST_SHARDS = 10_000

/**
 * The same study for one machine of several: it carries out the scenarios of `shard` alone, and its results and state are in a folder
 * of their own below those of the study, so that all parts can run at once on one disk.
 */
export function shardStudy(study: Study, shard: Shard): Study {
  return { ...study, outputDir: `${study.outputDir}/${shardFolder(shard)}`, shard }
}

/** Name of the folder of a part, below that of the study. */
export const shardFolder = ({ index, of }: Shard): string => `shard-${index}-of-${of}`

/** The part whose folder has this name; null: it is another folder. */
export function partOfFolder(name: string): Shard | null {
  const [, index, of] = /^shard-([1-9]\d{0,4})-of-([1-9]\d{0,4})$/.exec(name) ?? []
  if (index === undefined || of === undefined) return null
  return Number(of) <= MOST_SHARDS && Number(index) <= Number(of) ? { index: Number(index), of: Number(of) } : null
}

/** As `--shard` takes it. */
export const shardText = ({ index, of }: Shard): string => `${index}/${of}`

/**
 * The part that a scenario belongs to, from 1, when there are `of`. It follows from the request of the scenario alone: scenarios that
 * are added or removed move no other, and equal requests are in one part, so that they are bought once.
 */
export function shardOf(scenario: Scenario, of: number): number {
  // 48 bits, which a number holds exactly.
  return (Number.parseInt(requestIdentity(scenario).slice(0, 12), 16) % of) + 1
}

/** A hash of what a scenario asks for. A seed that is drawn belongs to one scenario, and so does its request. */
export function requestIdentity(scenario: Scenario): string {
  const { dataset, seed } = scenario
  const drawnFor = seed === 'random' ? scenario.id : null
  return sha256Hex(
    canonicalJson({ v: 1, kind: 'shard', dataset, drawn_for: drawnFor, body: bodyFields(scenario, seed) }),
  )
}

/** The folders in which a run keeps its results and state apart from those of the study; none for a run of the study itself. */
export function foldersApart({ trial, shard }: Pick<Study, 'trial' | 'shard'>): string[] {
  return [...(trial === undefined ? [] : [trialFolder(trial)]), ...(shard === undefined ? [] : [shardFolder(shard)])]
}
