import { type Command, Option } from 'commander'
import { SetupError } from '../../local/setup-error.ts'

/** Commands that cannot do without a service, and what does instead; `init` only with a seed file. */
const NEEDS_SERVICE: Readonly<Record<string, string>> = {
  run: 'whatif validate, plan, list, gate, report and diff ask no service, and whatif status none with --offline. A run whose results are up to date asks none either.',
  resume: 'whatif status --offline says what is pending; whatif report and gate work on what is there.',
  lock: 'whatif validate --offline --locked holds a study against the lock file that is there.',
  inspect: 'whatif validate --offline holds a study against the columns of its lock file.',
  init: 'Without a seed file whatif init asks no service, and makes names up.',
}

/** Commands that never ask a service: `--offline` is how they are. */
const ASKS_NOBODY: ReadonlySet<string> = new Set(
  'plan list unlock explain schema diff report gate fmt migrate'.split(' '),
)

/**
 * Gives every command of studies the common flags that a script may pass to all of them alike (study language, section 10):
 * `--offline` is taken where nothing is asked of a service and refused with what does without one; `--no-color` is taken
 * where nothing is coloured. Help shows them where they do something.
 */
export function addSharedOptions(whatif: Command): void {
  for (const command of whatif.commands) {
    const name = command.name()
    const instead = NEEDS_SERVICE[name]
    if (instead === undefined && !ASKS_NOBODY.has(name)) continue
    if (!has(command, '--no-color')) command.addOption(new Option('--no-color').hideHelp())
    command.addOption(new Option('--offline').hideHelp())
    if (instead !== undefined)
      command.hook('preAction', (_self, action) => {
        if (!action.opts().offline || (name === 'init' && action.args.length === 0)) return
        throw new SetupError(2, `whatif ${name} works with a service; --offline leaves it none`, instead)
      })
  }
}

const has = (command: Command, option: string) => command.options.some(({ long }) => long === option)

/**
 * Refuses a value without text: it is what a shell makes of a variable that is not set, and `--service ""` must not come to
 * mean the embedded service, nor `--out ""` the folder one stands in.
 */
export function refuseEmptyValues(action: Command): void {
  for (const option of action.options) {
    const value: unknown = action.getOptionValue(option.attributeName())
    if (value === '' || (Array.isArray(value) && value.includes('')))
      action.error(`error: option '${option.flags}' argument '' is invalid. Expected a value; is a variable not set?`)
  }
  // An empty code is answered with what codes look like.
  const empty = action.name() === 'explain' ? -1 : action.args.indexOf('')
  if (empty >= 0) {
    const { registeredArguments } = action
    const name = (registeredArguments[empty] ?? registeredArguments.at(-1))?.name() ?? 'argument'
    action.error(`error: argument '${name}' is empty; is a variable not set?`)
  }
}
