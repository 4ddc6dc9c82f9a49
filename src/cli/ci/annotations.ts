/**
 * Workflow commands of GitHub Actions: lines that its runner reads from the log of a step and obeys. Data are escaped as
 * the runner takes the escapes back (actions/runner, `ActionCommand.cs`).
 */

export type AnnotationLevel = 'error' | 'warning' | 'notice'

/** Where an annotation is shown. `file` is relative to the root of the repository, with `/`; line and column from 1. */
export interface AnnotationPlace {
  readonly file: string
  readonly line?: number
  readonly column?: number
}

export function annotationCommand(
  level: AnnotationLevel,
  title: string,
  message: string,
  place: AnnotationPlace | null,
): string {
  const properties = [
    ...(place === null ? [] : [`file=${property(place.file)}`]),
    ...(place?.line === undefined ? [] : [`line=${place.line}`]),
    ...(place?.column === undefined ? [] : [`col=${place.column}`]),
    `title=${property(title)}`,
  ]
  return `::${level} ${properties.join(',')}::${data(message)}`
}

/** Commands after which the runner shows `***` for a secret. It hides whole lines, so each line is one of its own. */
export function maskCommands(secret: string): string[] {
  return secret
    .split(/\r\n|\r|\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => `::add-mask::${data(line)}`)
}

/** `%` first, or it would be what the others' escapes begin with. */
const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
