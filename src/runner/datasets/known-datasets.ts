import { join } from 'node:path'
import type { FileSystem } from '../../base/atomic-file.ts'
import type { DatasetPage } from '../../client/replies.ts'
import type { CallOptions, ServiceClient } from '../../client/service-client.ts'
import { loadStudy } from '../../study/load/load-study.ts'
import type { StudyState } from '../plan/study-state.ts'
import { readState } from '../state/study-store.ts'

/** A trained dataset with the facts of state and service. Times are RFC 3339. */
export interface KnownDataset {
  readonly datasetId: string
  /**
   * Studies of this project that used it, with its name there; null when the study file no longer has a name for it,
   * for instance for an id that came with `--dataset`.
   */
  readonly uses: readonly { readonly study: string; readonly dataset: string | null }[]
  /** Seed file relative to the project root, if the study still names it; else the name that the service shows. */
  readonly file: string | null
  readonly displayName: string | null
  readonly trainedAt: string | null
  readonly expiresAt: string | null
  /** Whether the service has it: `unknown` when it was not asked. */
  readonly atService: 'there' | 'gone' | 'unknown'
}

/** Pages of a hundred to request. */
const MOST_PAGES = 10

type DatasetEntry = DatasetPage['datasets'][number]

/** Every trained dataset that the service lists, newest first, up to a thousand. */
export async function listDatasets(
  client: ServiceClient,
  call: CallOptions,
): Promise<{ readonly entries: readonly DatasetEntry[]; readonly isAll: boolean }> {
  const entries: DatasetEntry[] = []
  let cursor: string | null = null
  for (let page = 0; page < MOST_PAGES; page++) {
    const { value }: { value: DatasetPage } = await client.listDatasets(cursor, call)
    entries.push(...value.datasets)
    const next: string | null = value.next_cursor ?? null
    // A repeated cursor would never end.
    if (next === null || next === cursor) return { entries, isAll: true }
    cursor = next
  }
  return { entries, isAll: false }
}

/** The datasets of one service that the states of a project's studies hold; `service`: `embedded` or 8 hexadecimal digits. */
export async function datasetsInStates(
  fs: FileSystem,
  projectRoot: string,
  service: string,
): Promise<readonly KnownDataset[]> {
  const folder = join(projectRoot, '.whatif', 'studies')
  const names = await fs.readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [] as string[]
    throw error
  })
  const found = new Map<string, KnownDataset>()
  for (const study of [...names].sort()) {
    if (!(await fs.stat(join(folder, study))).isDirectory()) continue
    const state = await readState(fs, join(folder, study, service))
    const sources = await sourcesOf(fs, projectRoot, state)
    for (const known of datasetsOf(study, state, sources)) {
      const before = found.get(known.datasetId)
      found.set(known.datasetId, before === undefined ? known : { ...before, uses: union(before.uses, known.uses) })
    }
  }
  return [...found.values()]
}

type Uses = KnownDataset['uses']

/** A use without a name adds nothing to other uses by the same study. */
function union(uses: Uses, further: Uses): Uses {
  const isThere = ({ study, dataset }: Uses[number]) =>
    uses.some((use) => use.study === study && (use.dataset === dataset || dataset === null))
  return [...uses, ...further.filter((use) => !isThere(use))]
}

function* datasetsOf(study: string, state: StudyState, sources: StudySources): Generator<KnownDataset> {
  for (const record of state.uploads.values()) {
    if (record.datasetId === null || (record.status !== 'ready' && record.status !== 'gone')) continue
    yield {
      datasetId: record.datasetId,
      uses: [{ study, dataset: record.dataset }],
      file: sources.files.get(record.dataset) ?? null,
      displayName: record.displayName,
      trainedAt: record.trainedAt,
      expiresAt: record.expiresAt,
      atService: record.status === 'gone' ? 'gone' : 'unknown',
    }
  }
  for (const record of state.existing.values()) {
    const names = sources.namesOfIds.get(record.datasetId) ?? [null]
    yield {
      datasetId: record.datasetId,
      uses: names.map((dataset) => ({ study, dataset })),
      file: null,
      displayName: null,
      trainedAt: record.trainedAt,
      expiresAt: record.expiresAt,
      atService: record.status === 'gone' ? 'gone' : 'unknown',
    }
  }
}

/** From the current study file; empty when it is gone or has faults. */
interface StudySources {
  /** Seed files by dataset, relative to the project root; of objects in buckets, their addresses. */
  readonly files: ReadonlyMap<string, string>
  /** Names of the datasets that the study gives an id. */
  readonly namesOfIds: ReadonlyMap<string, readonly string[]>
}

async function sourcesOf(fs: FileSystem, projectRoot: string, { studyPath }: StudyState): Promise<StudySources> {
  const files = new Map<string, string>()
  const namesOfIds = new Map<string, string[]>()
  if (studyPath === null) return { files, namesOfIds }
  const text = await fs.readFile(join(projectRoot, studyPath), 'utf8').catch(() => null)
  const study = text === null ? null : loadStudy(String(text), { filename: studyPath, margins: 'unread' }).study
  const folder = studyPath.includes('/') ? studyPath.slice(0, studyPath.lastIndexOf('/') + 1) : ''
  for (const [name, source] of study?.datasets ?? []) {
    if (source.kind === 'file') files.set(name, source.object === undefined ? `${folder}${source.file}` : source.file)
    else namesOfIds.set(source.datasetId, [...(namesOfIds.get(source.datasetId) ?? []), name])
  }
  return { files, namesOfIds }
}

/** Combines state and service: a listed dataset exists. A dataset that is missing from a complete list is gone. */
export function joinDatasets(
  known: readonly KnownDataset[],
  listed: { readonly entries: readonly DatasetEntry[]; readonly isAll: boolean },
): readonly KnownDataset[] {
  const mine = new Map(known.map((one) => [one.datasetId, one]))
  const there = new Map(listed.entries.map((entry) => [entry.dataset_id, entry]))
  const fromService = [...there.values()].map((entry): KnownDataset => {
    const own = mine.get(entry.dataset_id)
    return {
      datasetId: entry.dataset_id,
      uses: own?.uses ?? [],
      file: own?.file ?? null,
      displayName: entry.display_name ?? own?.displayName ?? null,
      trainedAt: own?.trainedAt ?? entry.created_at ?? null,
      expiresAt: entry.expires_at ?? own?.expiresAt ?? null,
      atService: 'there',
    }
  })
  const others = known
    .filter(({ datasetId }) => !there.has(datasetId))
    .map((one): KnownDataset => ({ ...one, atService: listed.isAll ? 'gone' : one.atService }))
  return [...fromService, ...others]
}
