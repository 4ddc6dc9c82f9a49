import * as fs from 'node:fs/promises'
import type { Explored } from '../../explore/explored.ts'
import { exploredDataset } from '../../explore/explored-dataset.ts'
import { StudyOnDisk, type StudyPlace } from '../../explore/keep/study-on-disk.ts'
import { withNaturalShares } from '../../explore/natural-shares.ts'
import { explorePage } from '../../explore/page-files.ts'
import { exploreRoutes } from '../../explore/routes.ts'
import { RunOfPage } from '../../explore/run-of-page.ts'
import { type ServedPage, servePage } from '../../explore/serve-page.ts'
import { prepareRun } from '../../local/local-run.ts'
import { SetupError } from '../../local/setup-error.ts'
import { readStudyFile } from '../../local/study-file.ts'
import type { RunEnvironment } from '../../runner/interface/run-options.ts'
import { run } from '../../runner/run-study.ts'
import { hasErrors } from '../../study/diagnostics/diagnostic.ts'
import { resolveConnection } from '../access/connection.ts'
import type { StudyFlags } from '../options/study-options.ts'
import { localRequest } from './run-request.ts'

interface ServedOptions {
  readonly port: number
  readonly cleanRows: number | null
  readonly explored: Explored
  readonly place: StudyPlace | null
  readonly run: {
    readonly environment: RunEnvironment
    readonly flags: Pick<StudyFlags, 'service' | 'authUrl'>
    readonly env: NodeJS.ProcessEnv
  }
}

const WHY_NOT: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use',
  EACCES: 'may be opened by administrators alone',
}

/** Serves the page of a dataset. Its study is run with the service that the page asks, which stays open. */
export async function serveExplored({ port, cleanRows, explored, place, run }: ServedOptions): Promise<ServedPage> {
  const { name, study } = explored
  const { kind } = await resolveConnection(run.flags, run.env)
  const schema = kind === 'embedded' ? await withNaturalShares(explored) : explored.schema
  const kept = place === null ? null : new StudyOnDisk(place)
  const runs = place === null ? null : new RunOfPage({ run: runOf(place, explored, run), readReport })
  return await servePage({
    port,
    files: explorePage,
    routes: {
      ...exploreRoutes(exploredDataset(name, study, cleanRows, schema, place?.shown ?? null), explored, kept),
      ...runs?.routes,
    },
    reportAt: (path) => runs?.reportAt(path) ?? null,
  }).catch((error: NodeJS.ErrnoException) => {
    const why = WHY_NOT[error.code ?? '']
    if (why !== undefined) throw new SetupError(5, `port ${port} ${why}`, 'Choose another with --port.')
    throw error
  })
}

const readReport = (path: string): Promise<string> => fs.readFile(path, 'utf8')

function runOf(
  { path }: StudyPlace,
  { client }: Explored,
  { environment, flags, env }: ServedOptions['run'],
): ConstructorParameters<typeof RunOfPage>[0]['run'] {
  return async ({ onEvent, confirm }) => {
    const file = await readStudyFile(path)
    const { study } = file
    if (study === null || hasErrors(file.diagnostics))
      throw new Error('The study has faults: whatif validate names them.')
    const connection = await resolveConnection(flags, env)
    const request = await prepareRun(
      localRequest({ file: { ...file, study }, connection, flags, interactive: true, env }),
    )
    // The run closes its client, and the page goes on asking.
    const borrowed = { ...client, close: async () => {} }
    return await run(request, {
      ...environment,
      client: async () => borrowed,
      onEvent,
      ...(connection.kind === 'remote' && { confirm }),
    })
  }
}
