/**
 * What GitHub's runner would obey of a log, read the way its `ActionCommand.cs` and `OutputManager.cs` read each line of both
 * streams: `::name key=value::data` at the start of a line, white space aside, or `##[name key=value]data` anywhere in it.
 */
export interface RunnerCommand {
  readonly name: string
  readonly properties: Readonly<Record<string, string>>
  readonly data: string
}

const NAMES = new Set(
  'error warning notice debug add-mask set-output set-env add-path save-state stop-commands group endgroup add-matcher remove-matcher echo internal-set-repo-path'.split(
    ' ',
  ),
)

export function runnerCommands(log: string): RunnerCommand[] {
  return log.split(/\r\n|\r|\n/).flatMap((line) => newForm(line) ?? oldForm(line) ?? [])
}

function newForm(line: string): RunnerCommand | null {
  const text = line.replace(/^[\s\u0085]+/u, '')
  const end = text.indexOf('::', 2)
  if (!text.startsWith('::') || end < 0) return null
  return command(text.slice(2, end), ',', text.slice(end + 2), [
    ['%0D', '\r'],
    ['%0A', '\n'],
    ['%3A', ':'],
    ['%2C', ','],
    ['%25', '%'],
  ])
}

function oldForm(line: string): RunnerCommand | null {
  const start = line.indexOf('##[')
  const end = line.indexOf(']', start)
  if (start < 0 || end < 0) return null
  return command(line.slice(start + 3, end), ';', line.slice(end + 1), [])
}

type Escapes = readonly (readonly [string, string])[]

function command(info: string, separator: string, data: string, escapes: Escapes): RunnerCommand | null {
  const [name = '', ...rest] = info.split(' ')
  if (!NAMES.has(name)) return null
  const read = (text: string, only: Escapes) => only.reduce((t, [coded, plain]) => t.replaceAll(coded, plain), text)
  const pairs = rest.join(' ').trim().split(separator).filter(Boolean)
  const properties = Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      return [pair.slice(0, at), read(pair.slice(at + 1), escapes)]
    }),
  )
  const inData = escapes.filter(([, plain]) => plain !== ':' && plain !== ',')
  return { name, properties, data: read(data, inData) }
}
