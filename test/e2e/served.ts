import { type Finished, makeProject, type Project } from '../cli/project-folder.ts'

export const OPERATOR_TOKEN = 'operator-canary-91c0e7d24ab85f36'

/** `whatif serve` on a free port, in a folder of its own that is gone with it. */
export interface Served {
  readonly baseUrl: string
  readonly project: Project
  /** Ends it by SIGTERM and gives what it wrote. */
  stop(): Promise<Finished>
}

export async function serve(): Promise<Served> {
  const project = await makeProject()
  const serving = project.start(['serve', '--data', 'server', '--port', '0', '--json'], {
    env: { WHATIF_OPERATOR_TOKEN: OPERATOR_TOKEN },
  })
  const stop = async (): Promise<Finished> => {
    serving.kill('SIGTERM')
    const finished = await serving.finished
    await project.remove()
    return finished
  }
  try {
    const { base_url: baseUrl } = JSON.parse(await serving.firstLine()) as { base_url: string }
    return { baseUrl, project, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
