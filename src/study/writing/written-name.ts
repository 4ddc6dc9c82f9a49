import { escapeJson } from '../../base/text/escape-text.ts'
import { isChangedByYaml11 } from '../shape/name-lints.ts'

/** Letters, digits and what may stand between them without meaning anything to YAML, in a map on one line as well. */
const PLAIN =
  /^[\p{Letter}\p{Number}](?:[\p{Letter}\p{Number}\p{Mark}_.+/() -]*[\p{Letter}\p{Number}\p{Mark}_.+/()-])?$/u

/**
 * A name as it is written in a study, as a key or a value: without quotes where every reader of YAML takes it for that text,
 * else in double quotes. Characters that a terminal or a reviewer would not see as they are become escapes.
 */
export function writtenName(name: string): string {
  return PLAIN.test(name) && !isChangedByYaml11(name) && !/^\d+(?:\.\d*)?$/.test(name) ? name : quotedName(name)
}

export function quotedName(name: string): string {
  return escapeJson(JSON.stringify(name))
}
