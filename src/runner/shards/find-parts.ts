import { join } from 'node:path'
import { MAX_MANIFEST_BYTES } from '../../answers/manifest/parse-manifest.ts'
import type { FileSystem } from '../../base/atomic-file.ts'
import { readBoundedText, UNREADABLE_TEXT } from '../../base/bounded-file.ts'
import { hasCode } from '../../base/whatif-error.ts'
import type { Part } from '../../records/part.ts'
import { shardText } from '../../study/shards/shards.ts'
import { placesOf } from '../files/project-paths.ts'
import { RunRefusalError } from '../interface/exit-code.ts'
import type { FoundPart, FoundParts, RunRequest } from '../interface/run-options.ts'
import { PART_NAME } from './write-part.ts'

/** Folders below a named one in which parts are looked for: what is downloaded often lies one folder deeper. */
const DEEPEST = 3

/**
 * The parts of the requested study: in `folders` and the folders below them, or in the output folder of the study.
 *
 * @param of `--shards`; null: as many as the parts themselves say.
 * @throws RunRefusalError when there is none, or one cannot belong to the others or to the study.
 */
export async function findParts(
  fs: FileSystem,
  request: RunRequest,
  { folders, of }: { readonly folders: readonly string[]; readonly of: number | null },
): Promise<FoundParts> {
  const { outputFolder } = placesOf(request)
  const inFolders = folders.length === 0 ? await partsBelow(fs, outputFolder, 1) : await partsOfAll(fs, folders)
  const found = of === null ? inFolders : inFolders.filter(({ part }) => part.shard.of === of)
  if (found.length === 0) {
    const where = folders.length === 0 ? 'the output folder of the study' : folders.join(', ')
    const parts = of === null ? 'no part' : `no part of ${of}`
    throw refusal(
      `${parts} in ${where}: expected folders such as shard-1-of-20 with a ${PART_NAME}; run the parts first (whatif run STUDY --shard 1/20), or name the folders that hold them`,
    )
  }
  for (const { part } of found) requireOfStudy(part, request)
  const counts = [...new Set(found.map(({ part }) => part.shard.of))].sort((a, b) => a - b)
  if (counts.length > 1)
    throw refusal(
      `there are parts of ${counts.join(' and of ')}, which cannot be merged with each other; name one number with --shards, or remove the folders of the others`,
    )
  return { of: counts[0]!, parts: found.sort((a, b) => a.part.shard.index - b.part.shard.index) }
}

async function partsOfAll(fs: FileSystem, folders: readonly string[]): Promise<FoundPart[]> {
  const found: FoundPart[] = []
  for (const folder of folders) {
    const inside = await partsBelow(fs, folder, DEEPEST)
    // A folder that was named and holds nothing is a mistake, or a download that failed.
    if (inside.length === 0) throw refusal(`${folder}: there is no ${PART_NAME} in it or below it`)
    found.push(...inside)
  }
  return found
}

async function partsBelow(fs: FileSystem, folder: string, depth: number): Promise<FoundPart[]> {
  const part = await readPart(fs, folder)
  if (part !== null) return [{ folder, part }]
  if (depth === 0) return []
  const entries = await fs.readdir(folder, { withFileTypes: true }).catch(() => [])
  const found: FoundPart[] = []
  // Links are not followed: they could lead anywhere, and in a circle.
  for (const entry of entries.filter((e) => e.isDirectory() && !e.name.startsWith('.')))
    found.push(...(await partsBelow(fs, join(folder, entry.name), depth - 1)))
  return found
}

async function readPart(fs: FileSystem, folder: string): Promise<Part | null> {
  const path = join(folder, PART_NAME)
  try {
    if (!(await fs.lstat(path)).isFile()) return null
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null
    throw error
  }
  const damaged = (why: string, cause?: unknown) =>
    refusal(`${path}: ${why}; run that part again, or remove its folder`, cause)
  let json: unknown
  try {
    json = JSON.parse(await readBoundedText(fs, path, MAX_MANIFEST_BYTES))
  } catch (cause) {
    throw damaged(hasCode(cause, UNREADABLE_TEXT) ? cause.message : 'not readable as JSON', cause)
  }
  const version = (json as { part_version?: unknown } | null)?.part_version
  if (version !== 1) throw damaged(`expected part_version 1, found ${JSON.stringify(version)}`)
  // Loaded late, because no other command needs the schemas.
  const { Part: Expected } = await import('../../records/part.ts')
  const read = Expected.safeParse(json)
  if (read.success && read.data.shard.index <= read.data.shard.of) return read.data
  const at = read.success ? 'shard' : (read.error.issues[0]?.path.join('.') ?? '')
  throw damaged(`not a part of a study, "${at}" is not as a run writes it`)
}

function requireOfStudy(part: Part, { study, service, options }: RunRequest): void {
  const name = `part ${shardText(part.shard)}`
  if (part.study !== study.name) throw refusal(`${name} is of the study "${part.study}", and this is "${study.name}"`)
  if (part.service !== service.label)
    throw refusal(
      `${name} was run with another service (${part.service}) than this merge (${service.label}); give both the same address and client`,
    )
  if (part.scope !== options.scope)
    throw refusal(
      `${name} was run ${part.scope === null ? 'without --scope' : `with --scope ${part.scope}`}; merge it the same way`,
    )
  const trial = study.trial ?? null
  if (part.trial !== trial)
    throw refusal(
      `${name} was run ${part.trial === null ? 'without --rows' : `with --rows ${part.trial}`}; merge it the same way`,
    )
}

const refusal = (message: string, cause?: unknown) => new RunRefusalError('usage', 'parts_unusable', message, { cause })
