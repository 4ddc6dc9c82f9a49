import { EXIT_MEANINGS } from '../run/interface/exit-meanings.ts'

/** The exit codes for `whatif --help`: one line each. 130 and 143 mean the same. */
export function exitCodeLines(): string[] {
  return Object.entries(EXIT_MEANINGS)
    .filter(([code]) => code !== '143')
    .map(([code, { title }]) => `  ${code === '130' ? '130, 143' : code.padStart(3).padEnd(8)}  ${title}`)
}
