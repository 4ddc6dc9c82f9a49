import { StringDecoder } from 'node:string_decoder'
import { withPlainMarks } from './plain-marks.ts'

/**
 * CI systems read commands from logs. GitHub's runner obeys a line that begins with `::` (after white space), and
 * `##[command]` anywhere in a line, on both streams. Azure and TeamCity have `##vso[` and `##teamcity[`. Text from a study or
 * a service must not become a command, wherever wrapping or a table puts it. So every line is checked where it leaves the
 * process, in CI or not: the log of a container may be read by its caller.
 */

/** The last character of a match makes it a command. U+0085 is white space for the runner, but not for `\s`. */
const COMMANDS = /(?<=^|[\r\n])(?:[^\S\r\n]|\u0085)*::|##\w{0,20}\[/g

/** The longest piece of an unfinished line that is checked again with what follows it. */
const MOST_CARRIED = 64

/** Shorter texts are not secrets, and replacing them would make the log unreadable. */
const SHORTEST_SECRET = 8

type Write = (chunk: string | Uint8Array, ...rest: never[]) => boolean

/** A stream as far as this file changes it. */
interface GuardedStream {
  write: Write
}

interface Guard {
  readonly write: Write
  /** The unfinished line; empty at the start of one. */
  line: string
}

const guards = new WeakMap<GuardedStream, Guard>()
const secrets = new Set<string>()

/**
 * From here on, no line of this stream is a command of a CI system or holds a hidden secret.
 *
 * @param isPlain our marks are written in ASCII.
 */
export function guardStream(stream: GuardedStream, isPlain = false): void {
  if (guards.has(stream)) return
  const written = stream.write.bind(stream)
  const write: Write = isPlain
    ? (chunk, ...rest) => written(typeof chunk === 'string' ? withPlainMarks(chunk) : chunk, ...rest)
    : written
  const guard: Guard = { write, line: '' }
  guards.set(stream, guard)
  // A character may be cut in two.
  const decoder = new StringDecoder('utf8')
  stream.write = (chunk, ...rest) => {
    const text = typeof chunk === 'string' ? chunk : decoder.write(Buffer.from(chunk))
    return guard.write(defused(redacted(text), guard), ...rest)
  }
}

/** Lines that are meant as commands, on lines of their own. */
export function writeCommands(stream: GuardedStream, lines: readonly string[]): void {
  if (lines.length === 0) return
  const guard = guards.get(stream)
  const before = guard === undefined || guard.line === '' ? '' : '\n'
  if (guard !== undefined) guard.line = ''
  const write = guard?.write ?? stream.write.bind(stream)
  write(`${before}${lines.join('\n')}\n`)
}

/** Writes guarded text past any later replacement of the stream's `write`; a list that redraws itself would hold it back. */
export function writePast(stream: GuardedStream, text: string, onWritten: () => void): void {
  const guard = guards.get(stream)
  const write = (guard?.write ?? stream.write.bind(stream)) as (text: string, onWritten: () => void) => boolean
  write(guard === undefined ? text : defused(redacted(text), guard), onWritten)
}

/** Shows the secret as `***` from here on, on all guarded streams: a service may repeat what it was sent. */
export function hideSecret(secret: string): void {
  if (secret.length >= SHORTEST_SECRET) secrets.add(secret)
}

function redacted(text: string): string {
  let shown = text
  for (const secret of secrets) shown = shown.replaceAll(secret, '***')
  return shown
}

/** `\u` and four digits read well in text and stay the same data inside JSON. */
function defused(text: string, guard: Guard): string {
  const before = guard.line
  const shown = (before + text).replaceAll(COMMANDS, (command) => {
    const last = command
      .charCodeAt(command.length - 1)
      .toString(16)
      .padStart(4, '0')
    return `${command.slice(0, -1)}\\u${last}`
  })
  const unfinished = shown.slice(Math.max(shown.lastIndexOf('\n'), shown.lastIndexOf('\r')) + 1)
  guard.line = unfinished.length > MOST_CARRIED ? `x${unfinished.slice(-MOST_CARRIED)}` : unfinished
  return shown.slice(before.length)
}
