import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type Command, InvalidArgumentError } from 'commander'
import { projectRootOf } from '../../local/project-root.ts'
import { sourceOfFile } from '../../runner/datasets/inspect-dataset.ts'
import { addReadingOptions, declaredByFlags, type ReadingFlags } from '../options/reading-options.ts'
import { addOutputOptions, addServiceOptions, type StudyFlags } from '../options/study-options.ts'
import { flagAdvice } from '../output/flag-advice.ts'
import { describeTerminal } from '../output/terminal.ts'
import { placeOfStudy } from '../steps/explored-study.ts'
import { findTarget, placeOf, sourceOf } from '../steps/named-data.ts'
import { reportInvalid } from '../steps/report-study.ts'
import { inspectOne } from '../steps/without-generating.ts'

type ExploreFlags = Pick<StudyFlags, 'service' | 'authUrl' | 'json' | 'color'> &
  ReadingFlags & { readonly port: number; readonly open: boolean }

/** Declares `whatif explore`. */
export function declare(command: Command, env: NodeJS.ProcessEnv): void {
  addOutputOptions(addServiceOptions(addReadingOptions(command)))
    .description(
      'Open a page on this machine with a lever for each column, and the answers of the data with intervals beside them. A seed file ' +
        'without a trained model is uploaded and trained first; nothing is generated or billed. Ctrl-C ends it.',
    )
    .argument('<what>', 'seed file, study file, id of a trained dataset, or STUDY_FILE#DATASET')
    .option('--port <n>', 'port of the page on 127.0.0.1; default: any free one', port, 0)
    .option('--no-open', 'only print the address')
    .action(async (what: string, flags: ExploreFlags) => {
      process.exitCode = await explore(what, flags, env)
    })
}

function port(text: string): number {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (value <= 65_535) return value
  throw new InvalidArgumentError('Expected a port, 0 to 65535.')
}

/** Longest time for an answer. */
const LONGEST_MS = 30_000

/** Training takes as long as it takes: a person waits, and Ctrl-C ends it. */
const DAY_MS = 86_400_000

/** `whatif explore`: until Ctrl-C. */
async function explore(named: string, flags: ExploreFlags, env: NodeJS.ProcessEnv): Promise<number> {
  const terminal = describeTerminal(flags, env)
  const target = await findTarget(named)
  if (target.kind === 'study' && target.file.study === null)
    return reportInvalid('explore', [target.file], flags, terminal)
  const isBare = target.kind === 'file'
  const study = target.kind === 'study' ? target.file.study : null
  const declared = isBare ? declaredByFlags(flags) : null
  const projectRoot = projectRootOf(placeOf(target))
  const options = { command: 'explore', projectRoot, flags: { ...flags, deadline: DAY_MS } }
  return await inspectOne(
    { ...options, terminal, env, ...(isBare && { inWords: flagAdvice }) },
    (service, environment) =>
      isBare ? sourceOfFile(target.path, environment, declared) : sourceOf(target, service, environment),
    async ({ dataset, schema }, source, environment) => {
      const { signal } = environment
      const { name } = source
      const client = await environment.client()
      const { serveExplored } = await import('../steps/serve-explored.ts')
      try {
        const page = await serveExplored({
          ...{ port: flags.port, cleanRows: dataset.cleaning_summary?.clean_rows ?? null },
          explored: {
            ...{ name, study, datasetId: dataset.dataset_id, schema, client },
            call: () => ({ signal, deadlineMs: Date.now() + LONGEST_MS }),
          },
          place: await placeOfStudy(target, source, declared, projectRoot),
          run: { environment, flags, env },
        })
        terminal.stdout.write(flags.json === true ? `${JSON.stringify({ url: page.url })}\n` : `${page.url}\n`)
        terminal.stderr.write('Ctrl-C ends it.\n')
        if (flags.open && terminal.interactive) openInBrowser(page.url)
        if (!signal.aborted) await once(signal, 'abort')
        await page.close()
        return 0
      } finally {
        await client.close()
      }
    },
  )
}

/** Best effort: the address is printed. */
function openInBrowser(url: string): void {
  const [program, ...args] =
    process.platform === 'darwin'
      ? ['open', url]
      : process.platform === 'win32'
        ? ['explorer.exe', url]
        : ['xdg-open', url]
  spawn(program!, args, { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref()
}
