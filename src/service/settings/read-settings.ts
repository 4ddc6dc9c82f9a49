import type { Settings } from './settings.ts'
import {
  attributeOf,
  IDENTITY_PROVIDER_SETTINGS,
  OBJECT_STORAGE_SETTINGS,
  SERVICE_SETTINGS,
  type SettingEntry,
} from './settings-table.ts'
import { UnusableError } from './unusable-error.ts'

/** The only sources of settings. */
export interface SettingSources {
  /** Unparsed values of flags, by commander's names. */
  readonly flags: Readonly<Record<string, unknown>>
  /** An empty variable counts as absent. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Content of a secret's file. Throws if it cannot be read. */
  readonly readFile: (path: string) => string
}

/** Options of `startService`. */
export type GivenSettings = Partial<Settings> & { readonly dataDir: string }

/**
 * The settings of `whatif serve`: a flag takes precedence over its variable, and a variable over the default.
 *
 * @throws UnusableError that names the wrong flag or variable, or the missing parts of an incomplete group.
 */
export function readSettings(sources: SettingSources): GivenSettings {
  const service = readEntries(SERVICE_SETTINGS, sources).values
  const storage = readGroup('object storage', OBJECT_STORAGE_SETTINGS, sources)
  if (storage !== null && (storage.accessKeyId === undefined) !== (storage.secretAccessKey === undefined)) {
    const { accessKeyId, secretAccessKey } = OBJECT_STORAGE_SETTINGS
    throw new UnusableError(
      'setting_invalid',
      `${accessKeyId.variable} and ${secretAccessKey.variable} go together: set both or neither`,
    )
  }
  const provider = readGroup('an identity provider', IDENTITY_PROVIDER_SETTINGS, sources)
  return {
    ...service,
    // It has a default.
    dataDir: service.dataDir as string,
    objectStorage: storage,
    identityProvider: provider === null ? null : { ...provider, audience: provider.audience ?? null },
  }
}

/** A single setting, independent of the others; null if it is not given. */
export function readSetting<T>(entry: SettingEntry<T>, sources: SettingSources): T | null {
  const found = find(entry, sources)
  return found === null ? null : parse(entry, found.text, found)
}

type Entries = Readonly<Record<string, SettingEntry<unknown>>>
type Values<T extends Entries> = { readonly [Name in keyof T]?: ReturnType<T[Name]['parse']> }

/** Values of some settings, given or default; `labels` are the flags and variables that were given. */
function readEntries<T extends Entries>(
  entries: T,
  sources: SettingSources,
): { readonly values: Values<T>; readonly labels: readonly string[] } {
  const values: Record<string, unknown> = {}
  const labels: string[] = []
  for (const [name, entry] of Object.entries(entries)) {
    const found = find(entry, sources)
    if (found !== null) labels.push(found.label)
    const text = found?.text ?? entry.fallback
    if (text !== null) values[name] = parse(entry, text, found)
  }
  return { values: values as Values<T>, labels }
}

/** A group that is only valid as a whole; null if nothing of it is given. */
function readGroup<T extends Entries>(what: string, entries: T, sources: SettingSources): Whole<T> | null {
  const { values, labels } = readEntries(entries, sources)
  if (labels.length === 0) return null
  const missing = Object.entries(entries)
    .filter(([name, { otherwise }]) => !Object.hasOwn(values, name) && otherwise === undefined)
    .map(([, { variable }]) => variable)
  if (missing.length > 0) {
    throw new UnusableError(
      'setting_invalid',
      `${what} is partly configured (${labels.join(', ')}), but missing: ${missing.join(', ')}`,
    )
  }
  return values as Whole<T>
}

/** Whether all required parts are present. */
type Whole<T extends Entries> = {
  readonly [Name in keyof T as T[Name] extends { otherwise: string } ? never : Name]: ReturnType<T[Name]['parse']>
} & Values<T>

interface Found {
  /** The flag or variable, for messages. */
  readonly label: string
  readonly text: string
  readonly isFlag: boolean
}

function find(entry: SettingEntry<unknown>, { flags, env, readFile }: SettingSources): Found | null {
  const { flag, variable, isSecret } = entry
  const written = flag === null ? undefined : flags[attributeOf(flag)]
  if (typeof written === 'string') return { label: `${flag}`.split(' ')[0] as string, text: written, isFlag: true }
  const text = env[variable] || null
  const file = (isSecret && env[`${variable}_FILE`]) || null
  if (file === null) return text === null ? null : { label: variable, text, isFlag: false }
  if (text !== null)
    throw new UnusableError('setting_invalid', `${variable} and ${variable}_FILE are both set: unset one of them`)
  return { label: `${variable}_FILE`, text: readSecret(`${variable}_FILE`, file, readFile), isFlag: false }
}

/** Its mode is not checked: systems that provide secrets as files (Docker, systemd) protect the folder. */
function readSecret(label: string, path: string, readFile: SettingSources['readFile']): string {
  let text: string
  try {
    text = readFile(path).trim()
  } catch (error) {
    throw new UnusableError(
      'setting_invalid',
      `the file named by ${label} cannot be read (${(error as NodeJS.ErrnoException).code})`,
    )
  }
  if (text === '')
    throw new UnusableError('setting_invalid', `the file named by ${label} is empty: it should hold the secret`)
  return text
}

function parse<T>(entry: SettingEntry<T>, text: string, found: Found | null): T {
  try {
    return entry.parse(text)
  } catch (error) {
    const shown = entry.isSecret ? '' : ` '${text}'`
    const label = found?.label ?? entry.variable
    throw new UnusableError(
      found?.isFlag === true ? 'flag_invalid' : 'setting_invalid',
      `${label}${shown} is invalid: expected ${(error as Error).message}`,
    )
  }
}
