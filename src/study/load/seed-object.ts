import { diagnose } from '../diagnostics/diagnose.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { SeedObject } from '../study.ts'
import type { Located } from '../yaml/located-node.ts'

const EXPECTED = 'expected s3://BUCKET/KEY, such as s3://panels/2026/wave-3.csv'

/** Whether a dataset names an object in a bucket, well or badly, and no file on this disk. */
export const isObjectAddress = ({ value }: Located<string>): boolean => /^s3:/i.test(value)

/**
 * The object that an address names, or what is wrong with the address. It holds no endpoint, no credentials and no version: where
 * requests go, and who signs them, is a matter of the person who runs the study.
 */
export function readObjectAddress(file: Located<string>): SeedObject | Diagnostic {
  const { value } = file
  const [, bucket, key = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])\/(.+)$/su.exec(value) ?? []
  const part = key.split('/').find((name) => /^\.{0,2}$/.test(name))
  const reason = /\p{Control}/u.test(value)
    ? 'has a control character'
    : bucket === undefined
      ? 'does not name a bucket and a key'
      : value.includes('\\')
        ? 'has a backslash'
        : value.includes('?')
          ? 'has a question mark'
          : part !== undefined
            ? part === ''
              ? 'has an empty part'
              : `has the part "${part}"`
            : null
  if (reason === null && bucket !== undefined) return { bucket, key }
  return diagnose('S1302', { summary: `address "${value}" ${reason}`, range: file.range, detail: EXPECTED })
}

/** Without it, nobody could tell whether the object is still the one that was meant, and a copy would have no name. */
export function withoutDigest(id: string, { range }: Located<string>): Diagnostic {
  return diagnose('S1309', {
    summary: `dataset "${id}" names an object in a bucket without its digest`,
    range,
    detail: 'add `sha256:` with the digest of the file, as sha256sum prints it',
  })
}
