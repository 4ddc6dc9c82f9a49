import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** A command that has not ended by then is ended, in milliseconds. */
const TIME_LIMIT_MS = 30_000

/** Variables of ours that the command gets; no others, because the service's own hold its secrets. */
const ENVIRONMENT = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'SYSTEMROOT']

export interface Approval {
  readonly requestId: string
  readonly contactEmail: string
  readonly clientId: string
  /** Null unless the operator hands the tokens out. */
  readonly claimToken: string | null
}

/**
 * Runs the operator's command after an approval, as program and arguments without a shell. What the applicant wrote
 * reaches it in its environment alone, where nothing is expanded. Resolves to null when it ended well, else to why not.
 */
export async function runApprovalCommand(command: readonly string[], approval: Approval): Promise<string | null> {
  const [program = '', ...parameters] = command
  const env: NodeJS.ProcessEnv = {
    WHATIF_REQUEST_ID: approval.requestId,
    WHATIF_CONTACT_EMAIL: approval.contactEmail,
    WHATIF_CLIENT_ID: approval.clientId,
    ...(approval.claimToken !== null && { WHATIF_CLAIM_TOKEN: approval.claimToken }),
  }
  for (const name of ENVIRONMENT) if (process.env[name] !== undefined) env[name] = process.env[name]
  try {
    const child = spawn(program, parameters, {
      env,
      shell: false,
      stdio: 'ignore',
      timeout: TIME_LIMIT_MS,
      killSignal: 'SIGKILL',
      windowsHide: true,
    })
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
    if (signal !== null) return `it was ended by ${signal}`
    return code === 0 ? null : `it ended with ${code}`
  } catch (error) {
    return `it cannot be started (${(error as NodeJS.ErrnoException).code})`
  }
}
