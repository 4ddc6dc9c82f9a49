import pLimit from 'p-limit'
import type { SharedStore } from '../interface/shared-store.ts'
import { takenOver } from '../state/held-lock.ts'
import type { StateMirror } from '../state/state-mirror.ts'

/** Segments read at once. */
const AT_ONCE = 8
/** One page of a listing: more of them are put into a snapshot while the run goes on. */
const MOST_SEGMENTS = 1_000

/** The files of a state folder, as a shared store has them; both empty: it has none. */
export interface SharedFiles {
  /** `state.json`; null: none. */
  readonly snapshot: string | null
  /** `journal.ndjson`: the segments one after the other. */
  readonly journal: string
}

interface FoundFiles extends SharedFiles {
  readonly version: string | null
  readonly segments: readonly string[]
}

/** Reads without changing anything. */
export async function readSharedFiles(store: SharedStore, folder: string): Promise<FoundFiles> {
  // The segments first: a run that ends meanwhile writes the snapshot before it removes them.
  const segments = await store.list(`${folder}journal/`)
  const limit = pLimit(AT_ONCE)
  const texts = await Promise.all(segments.map((key) => limit(async () => (await store.read(key))?.text ?? '')))
  const snapshot = await store.read(`${folder}state.json`)
  return {
    snapshot: snapshot?.text ?? null,
    version: snapshot?.version ?? null,
    journal: texts.join(''),
    segments,
  }
}

/**
 * The state of a study in a shared store, while its lock is held. Each write of the journal is an object of its own, named by the serial
 * of its first entry and made only where there is none: a run that lost the lock without noticing cannot write beside the new holder.
 */
export async function openSharedState(
  store: SharedStore,
  folder: string,
): Promise<{ readonly files: SharedFiles; readonly mirror: StateMirror }> {
  const found = await readSharedFiles(store, folder)
  const snapshotKey = `${folder}state.json`
  let { version } = found
  const segments = new Set(found.segments)
  const mirror: StateMirror = {
    async append(lines) {
      const serial = /"serial":(\d+)/.exec(lines[0] ?? '')?.[1] ?? '0'
      const key = `${folder}journal/${serial.padStart(15, '0')}.ndjson`
      const text = lines.map((line) => `${line}\n`).join('')
      if ((await store.create(key, text)) === null && (await store.read(key))?.text !== text) throw takenOver()
      segments.add(key)
    },
    async snapshot(text) {
      // Others may be appended meanwhile.
      const before = [...segments]
      const written =
        version === null ? await store.create(snapshotKey, text) : await store.replace(snapshotKey, text, version)
      if (written !== null) version = written
      else {
        // The answer to this very write may have been lost.
        const now = await store.read(snapshotKey)
        if (now?.text !== text) throw takenOver()
        version = now.version
      }
      // What stays is in the snapshot already; its serials say so.
      const limit = pLimit(AT_ONCE)
      await Promise.all(
        before.map((key) =>
          limit(async () => {
            await store.remove(key)
            segments.delete(key)
          }),
        ),
      ).catch(() => {})
    },
    isLong: () => segments.size >= MOST_SEGMENTS,
  }
  return { files: found, mirror }
}
