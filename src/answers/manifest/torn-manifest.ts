import { isJson } from '../../base/is-json.ts'

/** Every manifest begins like this, because its keys are sorted. */
const MANIFEST_START = '{\n  "comparisons": '

/**
 * Whether a text is what a disk that was full or lost power leaves of a manifest: nothing, zeros, or a part of it. A text that is
 * JSON, or begins in another way, belongs to somebody else.
 */
export function isTornManifest(text: string): boolean {
  if (/^\0*$/.test(text)) return true
  return MANIFEST_START.startsWith(text.slice(0, MANIFEST_START.length)) && !isJson(text)
}

/** What is left of it, for a message. */
export function tornText(text: string): string {
  if (text === '') return 'it is damaged: it is empty'
  return /^\0*$/.test(text)
    ? 'it is damaged: it holds zeros alone'
    : 'it is damaged: its text breaks off, or was changed, so that it is no JSON any more'
}
