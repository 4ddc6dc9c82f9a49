import type { StudyFlags } from '../options/study-options.ts'

/** Options that say what a run is about, as a POSIX shell takes them again; each with a space before it. */
export function studyArguments(flags: StudyFlags): string {
  const given: [string, true | string | number][] = [
    ...all('--select', flags.select ?? []),
    ...all('--exclude', flags.exclude ?? []),
    ...one('--force', flags.force),
    ...all('--force-dataset', flags.forceDataset ?? []),
    ...one('--retry-failed', flags.retryFailed),
    ...one('--budget-rows', flags.budgetRows),
    ...one('--base', flags.base),
    ...one('--scope', flags.scope),
    ...all(
      '--dataset',
      [...(flags.dataset ?? [])].map(([name, id]) => `${name}=${id}`),
    ),
    ...one('--locked', flags.locked),
    ...one('--out', flags.out),
    ...one('--overwrite', flags.overwrite),
    ...one('--allow-outside', flags.allowOutside),
    ...one('--allow-hidden', flags.allowHidden),
    ...one('--service', flags.service),
    ...one('--auth-url', flags.authUrl),
    ...one('--allow-private-addresses', flags.allowPrivateAddresses),
  ]
  return given.map(([option, value]) => ` ${option}${value === true ? '' : ` ${shellWord(String(value))}`}`).join('')
}

const all = (option: string, values: readonly string[]) => values.map((value): [string, string] => [option, value])

function one(option: string, value: boolean | string | number | undefined): [string, true | string | number][] {
  return value === undefined || value === false ? [] : [[option, value]]
}

/** Quoted where a shell would take it for more than a word. */
export function shellWord(text: string): string {
  return /^[\w%+,./:=@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
