import { manifestText } from '../../answers/manifest/manifest-writer.ts'
import { removeIfThere, writeAtomically } from '../../base/atomic-file.ts'
import { dataRecord } from '../../base/data-record.ts'
import { isInside, portablePath } from '../../base/paths.ts'
import { hashFile, sha256Hex } from '../../base/sha256.ts'
import type { Manifest } from '../../records/manifest/manifest.ts'
import type { FileDigest, RunRecord } from '../../records/run-record.ts'
import { declarationsDigest } from '../../study/hashing/declarations-value.ts'
import { recordPath } from '../files/project-paths.ts'
import type { RunSoFar } from '../session/plan-run.ts'

/** A manifest as it was written. */
interface WrittenManifest {
  readonly manifest: Manifest
  readonly text: string
  readonly digest: string
}

/**
 * Writes `run-record.json` beside the manifest, last of all, while the run lock is held: where a run was killed, the record of the run
 * before names another run than the manifest does.
 *
 * @param reportPath of the page that this run wrote; null: none.
 */
export async function writeRecord(run: RunSoFar, written: WrittenManifest, reportPath: string | null): Promise<void> {
  const record = await runRecord(run, written, reportPath)
  await run.lock.assertHeld()
  const path = recordPath(run.places)
  await writeAtomically(run.env.fs, path, manifestText(record))
  // It is of the record before, and can be of no other.
  await removeIfThere(run.env.fs, `${path}.sig`)
}

async function runRecord(
  run: RunSoFar,
  { manifest, text, digest }: WrittenManifest,
  reportPath: string | null,
): Promise<RunRecord> {
  const { places, request } = run
  const { projectRoot, studyFile, studyText, service, provenance } = request
  const inProject = (path: string) => (isInside(projectRoot, path) ? portablePath(projectRoot, path) : null)
  const lock = run.lockFile === undefined || run.lockFile.lock === null ? null : run.lockFile.path
  return {
    record_version: 1,
    folder: inProject(places.outputFolder),
    run: { id: run.runId, startedAtTime: run.startedAt, endedAtTime: manifest.run.finished_at },
    used: {
      study: studyText === undefined ? null : { path: inProject(studyFile), ...digestOf(studyText) },
      lock: lock === null ? null : { path: inProject(lock), ...(await digestOfFile(lock)) },
      datasets: dataRecord(
        Object.keys(manifest.datasets).map((name) => [name, datasetOf(run, manifest, name)] as const),
      ),
    },
    generated: {
      manifest: { path: 'manifest.json', ...digestOf(text), digest },
      report: reportPath === null ? null : { path: 'report.html', ...(await digestOfFile(reportPath)) },
      scenarios: dataRecord(
        Object.entries(manifest.scenarios).flatMap(([id, { artifact }]) => scenarioOf(id, artifact)),
      ),
    },
    environment: {
      tool: provenance.tool,
      engine: service.engine ?? null,
      node: provenance.node,
      platform: `${process.platform} ${process.arch}`,
      service: service.kind,
    },
  }
}

function datasetOf(run: RunSoFar, manifest: Manifest, name: string): RunRecord['used']['datasets'][string] {
  const source = run.study.datasets.get(name)
  const seed = run.seedFiles?.get(name)
  const { source: file, fingerprint } = manifest.datasets[name]!
  return {
    source: file,
    file: seed === undefined ? null : { bytes: seed.fileBytes, sha256: seed.fileSha256 },
    sent: seed === undefined ? null : { bytes: seed.bytes, sha256: seed.sha256 },
    declarations: source?.kind === 'file' ? declarationsDigest(source.declarations) : null,
    fingerprint,
    model_id: manifest.trace.datasets[name]?.model_id ?? null,
  }
}

function scenarioOf(
  id: string,
  artifact: Manifest['scenarios'][string]['artifact'],
): (readonly [string, RunRecord['generated']['scenarios'][string]])[] {
  if (artifact === null) return []
  const file = ({ path, bytes, sha256 }: { path: string; bytes: number; sha256: string }) => ({ path, bytes, sha256 })
  return [[id, { result: file(artifact), received: artifact.received === undefined ? null : file(artifact.received) }]]
}

const digestOf = (text: string): FileDigest => ({ bytes: Buffer.byteLength(text), sha256: sha256Hex(text) })

async function digestOfFile(path: string): Promise<FileDigest> {
  const { sha256, sizeBytes } = await hashFile(path)
  return { bytes: sizeBytes, sha256 }
}
