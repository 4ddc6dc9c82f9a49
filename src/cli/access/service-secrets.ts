import { readFileSync } from 'node:fs'
import { readSetting } from '../../service/settings/read-settings.ts'
import {
  IDENTITY_PROVIDER_SETTINGS,
  OBJECT_STORAGE_SETTINGS,
  SERVICE_SETTINGS,
  type SettingEntry,
} from '../../service/settings/settings-table.ts'
import { operatorTokenOf } from '../operator-token.ts'

type Flags = Readonly<Record<string, string | undefined>>

/** What the chain of credentials of AWS takes from the environment (`standard-credentials.ts`). */
const AWS_SECRETS = ['AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'AWS_CONTAINER_AUTHORIZATION_TOKEN']

/** Secrets that `whatif serve` is given, by its table of settings; of a database's address the password also alone. */
export function serviceSecrets(flags: Flags, env: NodeJS.ProcessEnv): string[] {
  const entries = Object.values({ ...SERVICE_SETTINGS, ...OBJECT_STORAGE_SETTINGS, ...IDENTITY_PROVIDER_SETTINGS })
  const given = entries.filter(({ isSecret }) => isSecret).flatMap((entry) => textOf(entry, flags, env))
  const ofChain = AWS_SECRETS.flatMap((name) => env[name] || [])
  return [...given, ...ofChain].flatMap((text) => {
    const password = URL.canParse(text) ? new URL(text).password : ''
    return password === '' ? [text] : [text, password, ...attempt(() => [decodeURIComponent(password)])]
  })
}

/** The token of `whatif operator`. */
export function operatorSecrets(flags: Flags, env: NodeJS.ProcessEnv): string[] {
  return attempt(() => [operatorTokenOf(flags.data ?? '', env)])
}

function textOf(entry: SettingEntry<unknown>, flags: Flags, env: NodeJS.ProcessEnv): string[] {
  const readFile = (path: string) => readFileSync(path, 'utf8')
  const text = attempt(() => [readSetting({ ...entry, parse: (written) => written }, { flags, env, readFile })])
  return text.flatMap((found) => (found === null ? [] : [found]))
}

/** Nothing where it cannot be read: the command that needs it says why. */
function attempt<T>(read: () => T[]): T[] {
  try {
    return read()
  } catch {
    return []
  }
}
