/** One thing that a machine needs, and how it stands. Nothing in it is a secret. */
export interface Check {
  /** A word: `node`, `folder`, … */
  readonly name: string
  readonly status: 'ok' | 'warn' | 'fail'
  readonly message: string
  /** What to do; null when there is nothing. */
  readonly advice: string | null
  /** With which code a run would end because of it; 0 unless it fails. */
  readonly exitCode: 0 | 2 | 5 | 7 | 11
}

export const ok = (name: string, message: string): Check => ({ name, status: 'ok', message, advice: null, exitCode: 0 })

export const warn = (name: string, message: string, advice: string): Check => ({
  name,
  status: 'warn',
  message,
  advice,
  exitCode: 0,
})

export const fail = (
  name: string,
  exitCode: Exclude<Check['exitCode'], 0>,
  message: string,
  advice: string | null,
): Check => ({ name, status: 'fail', message, advice, exitCode })
