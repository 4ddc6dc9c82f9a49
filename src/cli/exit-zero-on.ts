import { SetupError } from '../local/setup-error.ts'

/** `--exit-zero-on gates,partial`: causes that are told and do not count. */
export function exitZeroOn(text: string | undefined): ReadonlySet<'gates' | 'partial'> {
  const words = (text ?? '').split(',').filter((word) => word !== '')
  const known = words.filter((word): word is 'gates' | 'partial' => word === 'gates' || word === 'partial')
  if (known.length < words.length)
    throw new SetupError(2, `--exit-zero-on ${text}: expected gates, partial, or gates,partial`)
  return new Set(known)
}
