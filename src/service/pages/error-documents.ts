import { ERROR_CATALOGUE, type ErrorCode, type ErrorDescription, type ErrorEntry } from '../../contract/errors.ts'
import { type Document, list, table, text } from './document.ts'

/** All codes, in the catalogue's sequence. */
export const ERROR_CODES = Object.keys(ERROR_CATALOGUE) as ErrorCode[]

/** Whether a text is a code; safe for names of `Object.prototype`. */
export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERROR_CATALOGUE, text)
}

/** A catalogue entry in its wire format. */
export function describeError(code: ErrorCode): ErrorDescription {
  const { status, title, cause, fix, retryable, support } = ERROR_CATALOGUE[code]
  return { code, status, title, cause, fix, retryable, support, url: `/errors/${code}` }
}

/** `/errors` for people. */
export function errorIndex(): Document {
  return {
    title: 'Errors',
    lead: 'Every stable error code. Problem records carry it as `code`, and its page here as `type`.',
    sections: [
      {
        id: 'codes',
        title: 'Codes',
        blocks: [
          table(
            ['Code', 'Status', 'Cause', 'Repeat?'],
            ERROR_CODES.map((code) => {
              const entry: ErrorEntry = ERROR_CATALOGUE[code]
              return [`[\`${code}\`](/errors/${code})`, statusOf(entry), entry.cause, entry.retryable ? 'yes' : 'no']
            }),
          ),
        ],
      },
      {
        id: 'without-a-code',
        title: 'Without a code',
        blocks: [
          text(
            'Failed authentication (`401`) has no code and the same body in every case; its `type` is `about:blank`. Problems of HTTP itself, such as a range outside an artifact (`416`), have no code either.',
          ),
        ],
      },
    ],
  }
}

/** `/errors/{code}` for people. */
export function errorDocument(code: ErrorCode): Document {
  const entry: ErrorEntry = ERROR_CATALOGUE[code]
  return {
    title: code,
    lead: entry.cause,
    sections: [
      { id: 'what-to-do', title: 'What to do', blocks: [text(entry.fix)] },
      { id: 'repeat', title: 'May the request be repeated?', blocks: [text(retryability(entry))] },
      { id: 'support', title: 'For support', blocks: [text(entry.support)] },
      {
        id: 'more',
        title: 'More',
        blocks: [
          list(
            `It comes ${entry.status === null ? 'inside the `error` of a failed job or generation' : `with status \`${statusOf(entry)}\``}.`,
            '[All codes](/errors)',
            '[How errors are reported](/docs#errors)',
          ),
        ],
      },
    ],
  }
}

function statusOf({ status, title }: ErrorEntry): string {
  return status === null ? 'in a job' : `${status} ${title}`
}

function retryability({ retryable }: ErrorEntry): string {
  return retryable
    ? 'Yes, unchanged, after `Retry-After` or with backoff; a POST only with the same `Idempotency-Key`.'
    : 'No. The same request gives the same answer; change it first.'
}
