import { SEED_CSV, STUDY } from '../runner/run-rig.ts'
import { SECRET_CANARY, type ServiceDouble, startServiceDouble } from '../runner/service-double.ts'
import { makeProject, type Project, type ProjectOptions } from './project-folder.ts'

/** A study without remarks, and with a budget, so that no confirmation is needed. */
export const DEMO_STUDY = `${STUDY.replace('Yes: 0.7', '"Yes": 0.7')}budget: { rows_per_run: 5000 }\n`

/** A project with the study `demo`, and a small service for its commands that a test can steer. */
export interface DoubleProject {
  readonly project: Project
  readonly double: ServiceDouble
  /** Environment of a command that uses that service. */
  readonly env: NodeJS.ProcessEnv
  readonly remove: () => Promise<void>
}

export async function makeDoubleProject(options: ProjectOptions = {}): Promise<DoubleProject> {
  const project = await makeProject(options)
  const double = await startServiceDouble()
  await project.write('seeds/panel.csv', SEED_CSV)
  await project.write('demo.study.yaml', DEMO_STUDY)
  const env = {
    WHATIF_BASE_URL: double.url,
    WHATIF_AUTH_URL: double.url,
    WHATIF_CLIENT_ID: 'cli_1',
    WHATIF_CLIENT_SECRET: SECRET_CANARY,
  }
  const remove = async () => {
    await double.close()
    await project.remove()
  }
  return { project, double, env, remove }
}
