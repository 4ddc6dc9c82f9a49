import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SetupError } from '../../local/setup-error.ts'
import { OPERATOR_TOKEN_FILE } from '../../service/settings/complete-settings.ts'
import { readSecretFile } from '../../service/settings/master-key.ts'
import { readSetting } from '../../service/settings/read-settings.ts'
import {
  IDENTITY_PROVIDER_SETTINGS,
  OBJECT_STORAGE_SETTINGS,
  SERVICE_SETTINGS,
  type SettingEntry,
} from '../../service/settings/settings-table.ts'
import { UnusableError } from '../../service/settings/unusable-error.ts'
import { storageSecrets } from './storage-secrets.ts'

type Flags = Readonly<Record<string, string | undefined>>

/** Secrets among the settings of `whatif serve`. The password in a database's address also counts by itself. */
export function serviceSecrets(flags: Flags, env: NodeJS.ProcessEnv): string[] {
  const entries = Object.values({ ...SERVICE_SETTINGS, ...OBJECT_STORAGE_SETTINGS, ...IDENTITY_PROVIDER_SETTINGS })
  const given = entries.filter(({ isSecret }) => isSecret).flatMap((entry) => textOf(entry, flags, env))
  return [...new Set([...given, ...storageSecrets(env)])].flatMap((text) => {
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

/** Nothing if it cannot be read: the command that needs it says why. */
function attempt<T>(read: () => T[]): T[] {
  try {
    return read()
  } catch {
    return []
  }
}

/** The operator's token as the service itself finds it: the environment, a secret's file, the data folder. */
export function operatorTokenOf(dataDir: string, env: NodeJS.ProcessEnv): string {
  try {
    const readFile = (path: string) => readFileSync(path, 'utf8')
    const given = readSetting(SERVICE_SETTINGS.operatorToken, { flags: {}, env, readFile })
    const token = given ?? readSecretFile(join(dataDir, OPERATOR_TOKEN_FILE))
    if (token !== null) return token
  } catch (error) {
    throw error instanceof UnusableError ? new SetupError(5, error.message) : error
  }
  throw new SetupError(
    5,
    'there is no operator token',
    `Set WHATIF_OPERATOR_TOKEN, or name the folder that holds ${OPERATOR_TOKEN_FILE} with --data.`,
  )
}
