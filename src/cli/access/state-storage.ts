import { type ChosenState, chooseState, type StateFlags } from '../../local/chosen-state.ts'
import { bucketAccess } from './bucket-access.ts'

/**
 * What `WHATIF_STATE`, the project's own file and the options say; null: the state is on this disk.
 *
 * @throws SetupError
 */
export async function chosenState(
  flags: StateFlags,
  env: NodeJS.ProcessEnv,
  projectRoot: string,
): Promise<ChosenState | null> {
  const place = {
    named: env.WHATIF_STATE,
    name: 'WHATIF_STATE',
    example: 'WHATIF_STATE=s3://BUCKET/PREFIX',
    off: 'WHATIF_STATE=none',
    flagName: (flag: string) => `--${flag}`,
    storage: () => bucketAccess(env, 'the state in a bucket'),
  }
  return await chooseState(flags, place, projectRoot)
}
