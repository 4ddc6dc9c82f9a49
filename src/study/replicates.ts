import type { Scenario, Study } from './study.ts'

/** Marks a scenario as one of several that differ only in the seed. */
interface MaybeReplicate {
  readonly replicate?: { readonly of: string } | undefined
}

/** Id of one replicate, which names its file. */
export const replicateId = (of: string, number: number): string => `${of}--r${number}`

/** The name by which comparisons know a scenario: its own, or the one that it shares with its other replicates. */
export const comparedName = ({ id, replicate }: Pick<Scenario, 'id' | 'replicate'>): string => replicate?.of ?? id

/** Scenarios of a study do not change, and a run asks for each name of a comparison several times. */
const known = new WeakMap<readonly Scenario[], ReadonlyMap<string, readonly string[]>>()

/**
 * Ids of the scenarios that a name in a comparison stands for, in sequence: the replicates that share it, or the one
 * scenario of that name.
 */
export function membersOf({ scenarios }: Pick<Study, 'scenarios'>, name: string): readonly string[] {
  let members = known.get(scenarios)
  if (members === undefined) {
    members = groupedReplicates(scenarios)
    known.set(scenarios, members)
  }
  return members.get(name) ?? [name]
}

function groupedReplicates(scenarios: readonly Scenario[]): ReadonlyMap<string, readonly string[]> {
  const members = new Map<string, string[]>()
  for (const { id, replicate } of scenarios) {
    if (replicate === undefined) continue
    const ids = members.get(replicate.of)
    if (ids === undefined) members.set(replicate.of, [id])
    else ids.push(id)
  }
  return members
}

/** Renames of scenarios (old → new), and with them those of the names that their replicates share. */
export function withSharedNames(
  renamed: ReadonlyMap<string, string>,
  before: ReadonlyMap<string, MaybeReplicate>,
  after: ReadonlyMap<string, MaybeReplicate>,
): ReadonlyMap<string, string> {
  const shared = [...renamed].flatMap(([old, now]): [string, string][] => {
    const [was, is] = [before.get(old)?.replicate?.of, after.get(now)?.replicate?.of]
    return was === undefined || is === undefined ? [] : [[was, is]]
  })
  return shared.length === 0 ? renamed : new Map([...renamed, ...shared])
}
