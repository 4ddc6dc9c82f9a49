import { escapeJson } from '../../base/text/escape-text.ts'
import { isChangedByYaml11 } from '../shape/name-lints.ts'

/** Letters, digits and characters between them that have no meaning in YAML, including in a map on one line. */
const UNQUOTED =
  /^[\p{Letter}\p{Number}](?:[\p{Letter}\p{Number}\p{Mark}_.+/() -]*[\p{Letter}\p{Number}\p{Mark}_.+/()-])?$/u

/**
 * A name as it is written in a study, as a key or a value: without quotes where every reader of YAML takes it for that
 * text, else in double quotes. Characters that a terminal or a reviewer would not show become escapes.
 */
export function writtenName(name: string): string {
  return UNQUOTED.test(name) && !isChangedByYaml11(name) && !/^\d+(?:\.\d*)?$/.test(name) ? name : quotedName(name)
}

export function quotedName(name: string): string {
  return escapeJson(JSON.stringify(name))
}
