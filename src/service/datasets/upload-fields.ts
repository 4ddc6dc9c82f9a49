import { FALSE_WORDS, TRUE_WORDS } from '../../contract/datasets.ts'
import { IDEMPOTENCY_KEY_PATTERN } from '../../contract/ids.ts'
import { MAX_COLUMN_NAME_BYTES, MAX_DISPLAY_NAME_CODE_POINTS, MAX_WAIT_SECONDS } from '../../contract/limits.ts'
import type { FieldError } from '../../contract/problem.ts'
import { SurveyDesign } from '../../contract/survey-design.ts'
import { NameSearch } from '../http/nearest-names.ts'
import { echo } from '../http/request-shape.ts'

/** The text parts of POST /v1/datasets, checked. */
export interface UploadFields {
  /** Null when absent or empty. */
  readonly displayName: string | null
  readonly autoClean: boolean
  /** Header of the column of case weights; null when absent or empty. */
  readonly weightColumn: string | null
  /** How the rows were drawn; null when absent or empty. */
  readonly design: SurveyDesign | null
  readonly waitSeconds: number
  /** The form's key; the header takes precedence. */
  readonly idempotencyKey: string | null
}

export const FILE_PART = 'seed_file'
/** Longest text part: a survey design with a factor for each of 1,000 replicates. */
export const MAX_DESIGN_BYTES = 65_536
/** Longest other text part: more than 200 characters of 4 bytes. */
const MAX_TEXT_BYTES = 4096
const TEXT_PARTS = ['display_name', 'auto_clean', 'weight_column', 'design', 'wait_seconds', 'idempotency_key'] as const
type TextPart = (typeof TEXT_PARTS)[number]

/** C0, DEL and C1. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for control characters
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f]/

/** Collects the parts of an upload in any sequence, and their faults. */
export class UploadFieldCollector {
  readonly #values = new Map<TextPart, string>()
  readonly #seen = new Set<string>()
  readonly faults: FieldError[] = []

  /** Takes a text part; `truncated` if it was longer than any part may be. */
  addText(name: string | undefined, value: string, truncated: boolean): void {
    if (name === undefined) {
      this.faults.push({ field: 'body', message: 'has a part without a name' })
      return
    }
    if (!isTextPart(name)) {
      const suggestion = new NameSearch().likely(name, [FILE_PART, ...TEXT_PARTS])
      this.faults.push({
        field: echo(name),
        message: 'is not a known part',
        ...(suggestion !== null && { suggestion }),
      })
      return
    }
    if (!this.#isFirst(name)) return
    const isLong = name !== 'design' && Buffer.byteLength(value) > MAX_TEXT_BYTES
    if (truncated || isLong) this.faults.push({ field: name, message: 'is too long' })
    else this.#values.set(name, value)
  }

  /** Records a file part; true for the first one, which is the seed. */
  addFile(): boolean {
    return this.#isFirst(FILE_PART)
  }

  /** The form's idempotency key, if it has arrived and is well formed. */
  get idempotencyKey(): string | null {
    const key = this.#values.get('idempotency_key')
    return key !== undefined && IDEMPOTENCY_KEY_PATTERN.test(key) ? key : null
  }

  /** Call after the last part: checks what can be checked only then. Read `faults` afterwards. */
  finish(): UploadFields {
    if (!this.#seen.has(FILE_PART)) this.faults.push({ field: FILE_PART, message: 'is required' })
    return {
      displayName: this.#displayName(),
      autoClean: this.#autoClean(),
      weightColumn: this.#weightColumn(),
      design: this.#design(),
      waitSeconds: this.#waitSeconds(),
      idempotencyKey: this.#key(),
    }
  }

  #isFirst(name: string): boolean {
    if (!this.#seen.has(name)) {
      this.#seen.add(name)
      return true
    }
    if (!this.faults.some((fault) => fault.field === name && fault.message === REPEATED)) {
      this.faults.push({ field: name, message: REPEATED })
    }
    return false
  }

  #displayName(): string | null {
    const name = this.#values.get('display_name') ?? ''
    if ([...name].length > MAX_DISPLAY_NAME_CODE_POINTS) {
      this.faults.push({
        field: 'display_name',
        message: `must be at most ${MAX_DISPLAY_NAME_CODE_POINTS} characters long`,
      })
    }
    if (CONTROL_CHARACTERS.test(name)) {
      this.faults.push({ field: 'display_name', message: 'must not hold control characters' })
    }
    return name === '' ? null : name
  }

  #autoClean(): boolean {
    // Generated clients send a boolean in their language's spelling: `True` in Python.
    const word = this.#values.get('auto_clean')?.toLowerCase()
    if (word === undefined || isOneOf(TRUE_WORDS, word)) return true
    if (!isOneOf(FALSE_WORDS, word)) {
      const words = [...TRUE_WORDS, ...FALSE_WORDS].join(', ')
      this.faults.push({ field: 'auto_clean', message: `must be one of ${words}, in any case` })
    }
    return false
  }

  #weightColumn(): string | null {
    const name = this.#values.get('weight_column') ?? ''
    // Databases cannot store it, and no header has it.
    if (name.includes('\u0000')) this.faults.push({ field: 'weight_column', message: 'must not hold NUL characters' })
    else if (Buffer.byteLength(name) > MAX_COLUMN_NAME_BYTES) {
      this.faults.push({ field: 'weight_column', message: `must be at most ${MAX_COLUMN_NAME_BYTES} bytes long` })
    }
    return name === '' ? null : name
  }

  #design(): SurveyDesign | null {
    const text = this.#values.get('design') ?? ''
    if (text === '') return null
    const parsed = SurveyDesign.safeParse(jsonOf(text))
    if (!parsed.success) {
      for (const { path, message } of parsed.error.issues.slice(0, MAX_DESIGN_FAULTS)) {
        this.faults.push({ field: ['design', ...path.map((step) => echo(String(step)))].join('.'), message })
      }
      return null
    }
    const names = [parsed.data.strata, parsed.data.clusters]
    const weight = this.#values.get('weight_column') ?? ''
    if (weight !== '' && names.includes(weight)) {
      this.faults.push({ field: 'design', message: 'must not name the column of weight_column' })
    }
    if (weight === '' && parsed.data.replicate_weights !== undefined) {
      this.faults.push({ field: 'design', message: 'has replicate_weights, which need weight_column' })
    }
    return parsed.data
  }

  #waitSeconds(): number {
    const text = this.#values.get('wait_seconds')
    if (text === undefined) return 0
    const seconds = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
    if (!(seconds <= MAX_WAIT_SECONDS)) {
      this.faults.push({ field: 'wait_seconds', message: `must be a whole number from 0 to ${MAX_WAIT_SECONDS}` })
      return 0
    }
    return seconds
  }

  #key(): string | null {
    const key = this.#values.get('idempotency_key')
    if (key === undefined) return null
    if (!IDEMPOTENCY_KEY_PATTERN.test(key)) {
      this.faults.push({ field: 'idempotency_key', message: `must match ${IDEMPOTENCY_KEY_PATTERN.source}` })
    }
    return key
  }
}

const MAX_DESIGN_FAULTS = 5

/** Undefined for text that is no JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const REPEATED = 'is given more than once'

function isTextPart(name: string): name is TextPart {
  return (TEXT_PARTS as readonly string[]).includes(name)
}

function isOneOf(words: readonly string[], word: string): boolean {
  return words.includes(word)
}
