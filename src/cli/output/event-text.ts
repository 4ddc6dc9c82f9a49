import type { RunFault } from '../../run/run-event.ts'

/** Pieces of text that the live and the plain reporter share. */

const COUNT = new Intl.NumberFormat('en-US')

export const count = (value: number): string => COUNT.format(value)

export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`

/** 1 kB = 1,000 bytes. */
export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 999_500) return `${Math.round(bytes / 1000)} kB`
  return `${(bytes / 1e6).toFixed(1)} MB`
}

export const percent = (fraction: number): string => `${Math.floor(fraction * 100)} %`

/** Bar of `width` cells for a fraction in [0, 1]. */
export function bar(fraction: number, width: number): string {
  const full = Math.max(0, Math.min(width, Math.round(fraction * width)))
  return `${'█'.repeat(full)}${'░'.repeat(width - full)}`
}

export function durationText(ms: number): string {
  if (ms < 950) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`
}

/** A failure with the identifiers that support asks for. */
export function faultText(fault: RunFault): string {
  const ids = [
    fault.requestId && `request ${fault.requestId}`,
    fault.jobId && `job ${fault.jobId}`,
    fault.generationId && `generation ${fault.generationId}`,
    fault.datasetId && `dataset ${fault.datasetId}`,
  ].filter(Boolean)
  return `${fault.detail} [${[fault.code, ...ids].join(', ')}]`
}

/**
 * Text from a file or a service, safe for a terminal: control characters become visible escapes, so that a level name
 * or an error body can neither move the cursor nor forge a line.
 */
export function visible(text: string): string {
  return text.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to make visible
    /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
