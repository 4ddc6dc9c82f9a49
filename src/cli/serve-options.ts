import { type Command, Option } from 'commander'
import { ALL_SETTINGS } from '../service/settings/settings-table.ts'

/** Options of `whatif serve`, and the variables that have none. Values are read and checked with the environment's. */
export function addServeOptions(command: Command): Command {
  for (const { flag, meaning, fallback, otherwise } of ALL_SETTINGS) {
    if (flag === null) continue
    const ifAbsent = fallback ?? otherwise
    command.addOption(new Option(flag, ifAbsent === undefined ? meaning : `${meaning} (default: ${ifAbsent})`))
  }
  return command.option('--json', 'print the addresses as JSON on stdout when ready').addHelpText('after', () => {
    const lines = ALL_SETTINGS.filter(({ flag }) => flag === null).map(
      ({ variable, isSecret, meaning }) => `  ${variable}${isSecret ? ', or _FILE' : ''}\n${indented(meaning)}`,
    )
    return `
Every option has a variable of its name, --public-url for example
WHATIF_SERVE_PUBLIC_URL; the option wins. Only environment variables set these:
${lines.join('\n')}`
  })
}

/** Lines of at most 78 columns, 6 of them blank. */
function indented(text: string): string {
  return text.replaceAll(/(.{1,72})(?: |$)/g, '      $1\n').trimEnd()
}
