import type { Command } from 'commander'

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
