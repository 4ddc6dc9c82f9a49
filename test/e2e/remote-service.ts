import { expect } from 'vitest'
import type { Finished, Project, Running } from '../cli/project-folder.ts'
import { type RecordingProxy, startRecordingProxy } from './recording-proxy.ts'

export const OPERATOR_TOKEN = 'operator-canary-7f3d9b51c2e84a06'

export interface RemoteService {
  /** The public address, which users know. */
  readonly baseUrl: string
  readonly proxy: RecordingProxy
  /** Environment of a runner that uses this service. */
  readonly credentials: {
    readonly WHATIF_BASE_URL: string
    readonly WHATIF_AUTH_URL: string
    readonly WHATIF_CLIENT_ID: string
    readonly WHATIF_CLIENT_SECRET: string
  }
  readonly claimToken: string
  /** Ends `whatif serve` by SIGTERM and gives what it wrote. */
  stop(): Promise<Finished>
}

/**
 * `whatif serve` in `project/server`, reached through a proxy that records, and one tenant made the way the
 * specification says: signup, approval by the operator, claim.
 */
export async function startRemoteService(project: Project, args: readonly string[] = []): Promise<RemoteService> {
  const proxy = await startRecordingProxy()
  const serving = project.start(
    ['serve', '--data', 'server', '--port', '0', '--json', '--public-url', proxy.baseUrl, ...args],
    { env: { WHATIF_OPERATOR_TOKEN: OPERATOR_TOKEN } },
  )
  try {
    const { baseUrl } = proxy
    // With a public address the line names that one; the log has the address at which the service listens.
    await serving.firstLine()
    proxy.passOnTo(await listeningAddress(serving))
    const signup = await ask(`${baseUrl}/v1/signup`, 202, {
      body: { company_name: 'Canary Research', contact_email: 'canary@example.org' },
    })
    await ask(`${baseUrl}/operator/v1/signups/${signup.request_id}/approve`, 200, {
      body: {},
      authorization: `Bearer ${OPERATOR_TOKEN}`,
    })
    const status = await ask(`${baseUrl}/v1/signup/${signup.request_id}`, 200)
    expect(status).toMatchObject({ status: 'approved', client_id: expect.any(String) })
    const claimToken = status.credential_claim_token as string
    const claim = await ask(`${baseUrl}/v1/credential-claims`, 200, { body: { claim_token: claimToken } })
    expect(claim).toMatchObject({ audience: baseUrl, grant_type: 'client_credentials' })
    return {
      baseUrl,
      proxy,
      claimToken,
      credentials: {
        WHATIF_BASE_URL: baseUrl,
        WHATIF_AUTH_URL: String(claim.token_url).replace(/\/oauth\/token$/, ''),
        WHATIF_CLIENT_ID: String(claim.client_id),
        WHATIF_CLIENT_SECRET: String(claim.client_secret),
      },
      async stop() {
        serving.kill('SIGTERM')
        const finished = await serving.finished
        await proxy.close()
        return finished
      },
    }
  } catch (error) {
    serving.kill('SIGTERM')
    await serving.finished
    await proxy.close()
    throw error
  }
}

async function listeningAddress(serving: Running): Promise<string> {
  const pattern = /Server listening at (http:\/\/127\.0\.0\.1:\d+)/
  return (await serving.said(pattern))[1] as string
}

/** One call as curl would make it; the reply's JSON. */
async function ask(
  url: string,
  status: number,
  options: { readonly body?: object; readonly authorization?: string } = {},
): Promise<Record<string, unknown>> {
  const reply = await fetch(url, {
    method: options.body === undefined ? 'GET' : 'POST',
    headers: {
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(options.authorization === undefined ? {} : { authorization: options.authorization }),
    },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  })
  const text = await reply.text()
  expect({ url, status: reply.status, text }).toMatchObject({ status })
  return JSON.parse(text) as Record<string, unknown>
}
