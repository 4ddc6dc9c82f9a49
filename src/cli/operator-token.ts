import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { OPERATOR_TOKEN_FILE } from '../service/settings/complete-settings.ts'
import { readSecretFile } from '../service/settings/master-key.ts'
import { readSetting } from '../service/settings/read-settings.ts'
import { SERVICE_SETTINGS } from '../service/settings/settings-table.ts'
import { UnusableError } from '../service/unusable-error.ts'
import { CommandError } from './command-error.ts'

/** The operator's token as the service itself finds it: the environment, a secret's file, the data folder. */
export function operatorTokenOf(dataDir: string, env: NodeJS.ProcessEnv): string {
  try {
    const readFile = (path: string) => readFileSync(path, 'utf8')
    const given = readSetting(SERVICE_SETTINGS.operatorToken, { flags: {}, env, readFile })
    const token = given ?? readSecretFile(join(dataDir, OPERATOR_TOKEN_FILE))
    if (token !== null) return token
  } catch (error) {
    throw error instanceof UnusableError ? new CommandError(5, error.message) : error
  }
  throw new CommandError(
    5,
    'there is no operator token',
    `Set WHATIF_OPERATOR_TOKEN, or name with --data the folder that holds ${OPERATOR_TOKEN_FILE}.`,
  )
}
