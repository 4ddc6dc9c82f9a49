import { type Command, Option } from 'commander'
import { SetupError } from '../../local/setup-error.ts'

const RESULTS = 'whatif report and gate work on the results that are there.'

/** Commands that need a service, and what works without one. `init` needs it only with a seed file. */
const NEEDS_SERVICE: Readonly<Record<string, string>> = {
  run: 'These ask no service: whatif validate --offline, status --offline, plan, list, gate, report and diff. A run whose results are up to date asks none either.',
  resume: 'whatif status --offline shows what is pending; whatif report and gate work on the results that are there.',
  merge: 'A merge of complete parts asks none: leave --offline out.',
  lock: 'whatif validate --offline --locked checks a study against its lock file.',
  inspect: 'whatif validate --offline checks a study against the columns in its lock file.',
  sensitivity: RESULTS,
  solve: RESULTS,
  backtest: RESULTS,
  explore: RESULTS,
  mcp: RESULTS,
  init: 'Without a seed file, whatif init asks no service and makes up names.',
}

/** Commands that never ask a service, so that `--offline` changes nothing. */
const NEEDS_NOTHING: ReadonlySet<string> = new Set(
  'plan list unlock explain schema diff head report gate verify fmt migrate'.split(' '),
)

/**
 * Gives a command of studies the flags that a script may pass to all of them (study language, section 10). `--offline` is
 * accepted where no service is asked; elsewhere it is refused, with what works instead. `--no-color` is accepted where
 * nothing is coloured. Help shows these flags only where they do something.
 */
export function addSharedOptions(command: Command): void {
  const name = command.name()
  const instead = NEEDS_SERVICE[name]
  if (instead === undefined && !NEEDS_NOTHING.has(name)) return
  if (!has(command, '--no-color')) command.addOption(new Option('--no-color').hideHelp())
  command.addOption(new Option('--offline').hideHelp())
  if (instead !== undefined)
    command.hook('preAction', (_self, action) => {
      if (!action.opts().offline || (name === 'init' && action.args.length === 0)) return
      throw new SetupError(2, `whatif ${name} needs a service, and --offline rules it out`, instead)
    })
}

const has = (command: Command, option: string) => command.options.some(({ long }) => long === option)

/**
 * Refuses an empty value: a shell makes one of a variable that is not set. `--service ""` must not mean the embedded
 * service, nor `--out ""` the working folder.
 */
export function refuseEmptyValues(action: Command): void {
  for (const option of action.options) {
    const value: unknown = action.getOptionValue(option.attributeName())
    if (value === '' || (Array.isArray(value) && value.includes('')))
      action.error(`error: option '${option.flags}' argument '' is invalid. Expected a value. Is a variable not set?`)
  }
  // An empty code is answered with examples of codes.
  const empty = action.name() === 'explain' ? -1 : action.args.indexOf('')
  if (empty >= 0) {
    const { registeredArguments } = action
    const name = (registeredArguments[empty] ?? registeredArguments.at(-1))?.name() ?? 'argument'
    action.error(`error: argument '${name}' is empty. Is a variable not set?`)
  }
}
