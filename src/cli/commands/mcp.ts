import { once } from 'node:events'
import { realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { escapeText } from '../../base/text/escape-text.ts'
import { fileFaultText } from '../../base/text/file-fault.ts'
import { projectRootOf } from '../../local/project-root.ts'
import { SetupError } from '../../local/setup-error.ts'
import { resolveConnection } from '../access/connection.ts'
import { seedObjectsOf } from '../access/seed-buckets.ts'
import { chosenState } from '../access/state-storage.ts'
import { wholeNumber } from '../options/option-values.ts'
import { addServiceOptions, type StudyFlags } from '../options/study-options.ts'
import { interruptible } from '../steps/interruption.ts'

type McpFlags = Pick<StudyFlags, 'service' | 'authUrl' | 'budgetRows'>

/** Declares `whatif mcp`. */
export function declare(command: Command, env: NodeJS.ProcessEnv): void {
  addServiceOptions(command)
    .description(
      'Let an assistant ask about the data of a project: a server of the Model Context Protocol on stdin and stdout. It reads files ' +
        'inside the project alone, and runs nothing without --budget-rows. It ends when stdin is closed, or by Ctrl-C.',
    )
    .argument('[folder]', 'a folder of the project', '.')
    .option('--json', 'print why it could not start as one JSON document on stdout')
    .option('--budget-rows <n>', 'let runs be billed for at most so many rows in the whole session', wholeNumber)
    .action(async (folder: string, flags: McpFlags) => {
      process.exitCode = await mcp(folder, flags, env)
    })
}

/** `whatif mcp`: until stdin is closed. */
async function mcp(folder: string, flags: McpFlags, env: NodeJS.ProcessEnv): Promise<number> {
  const root = projectRootOf(join(folderAt(folder), 'any'))
  const connection = await resolveConnection(flags, env)
  const objects = seedObjectsOf(env, root)
  const state = await chosenState({}, env, root)
  const serve = await withLibrary()
  const { RowBudget } = await import('../mcp/row-budget.ts')
  const { ProjectSession } = await import('../mcp/project-session.ts')
  // Messages name files as the project does.
  process.chdir(root)
  const budget = new RowBudget(flags.budgetRows ?? null)
  const interruption = interruptible()
  const ended = new AbortController()
  const signal = AbortSignal.any([interruption.signal, ended.signal])
  const session = new ProjectSession({ root, connection, budget, objects, state, signal })
  try {
    const close = serve(session, signal, () => ended.abort())
    process.stderr.write(`whatif mcp answers about the project ${escapeText(root)}; ${budget.words}. Ctrl-C ends it.\n`)
    if (!signal.aborted) await once(signal, 'abort')
    await close()
    return 0
  } finally {
    await session.close()
    interruption.release()
  }
}

function folderAt(folder: string): string {
  try {
    const path = realpathSync(folder)
    if (statSync(path).isDirectory()) return path
  } catch (error) {
    throw new SetupError(2, `${escapeText(folder)}: ${fileFaultText(error)}`, 'Name a folder of the project.')
  }
  throw new SetupError(2, `${escapeText(folder)}: it is not a folder`, 'Name a folder of the project.')
}

/** The library of the protocol is an optional part. */
async function withLibrary(): Promise<typeof import('../mcp/serve-mcp.ts').serveMcp> {
  try {
    return (await import('../mcp/serve-mcp.ts')).serveMcp
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new SetupError(
      5,
      'whatif mcp needs the package @modelcontextprotocol/server, which is not installed',
      'npm install @modelcontextprotocol/server@2',
    )
  }
}
