import { join } from 'node:path'
import type { FileSystem } from '../../base/atomic-file.ts'
import { portablePath } from '../../base/paths.ts'
import type { DatasetFacts } from '../../records/state/datasets.ts'
import type { CleanedColumn } from '../../study/live-schema/cleaned-schema.ts'
import type { StudyState } from '../plan/study-state.ts'
import { cleanedSchema } from '../session/dataset-records.ts'
import { readState } from '../state/study-store.ts'

/**
 * The columns of a study's datasets, by name, as the services of earlier runs reported them; of two trainings, the newer one.
 * States that cannot be read count as absent: a run reports their faults.
 */
export async function rememberedColumns(
  fs: FileSystem,
  projectRoot: string,
  studyFile: string,
): Promise<ReadonlyMap<string, CleanedColumn>> {
  const path = portablePath(projectRoot, studyFile)
  const states = await statesOf(fs, join(projectRoot, '.whatif', 'studies'))
  const known = states
    .filter(({ studyPath }) => studyPath === path)
    .flatMap((state): DatasetFacts[] => [...state.uploads.values(), ...state.existing.values()])
    .filter(({ schema }) => schema !== null)
    .sort((a, b) => (a.trainedAt ?? '').localeCompare(b.trainedAt ?? '', 'en'))
  return new Map(
    known.flatMap((facts) => cleanedSchema(facts, '').columns.map((column) => [column.name, column] as const)),
  )
}

async function statesOf(fs: FileSystem, folder: string): Promise<StudyState[]> {
  const list = async (at: string): Promise<string[]> => (await fs.readdir(at).catch(() => [] as string[])).sort()
  const states: StudyState[] = []
  for (const study of await list(folder)) {
    for (const service of await list(join(folder, study))) {
      const state = await readState(fs, join(folder, study, service)).catch(() => null)
      if (state !== null) states.push(state)
    }
  }
  return states
}
