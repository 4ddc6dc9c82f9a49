import diagnosticsChannel from 'node:diagnostics_channel'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { expect } from 'vitest'
import { faultText, stopText } from '../../../src/cli/output/event-text.ts'
import { createServiceClient } from '../../../src/client/create-service-client.ts'
import type { ServiceClient } from '../../../src/client/service-client.ts'
import type { ClientTimeouts } from '../../../src/client/transport.ts'
import type { RunEvent } from '../../../src/runner/interface/run-event.ts'
import type { RunResult } from '../../../src/runner/interface/run-options.ts'
import { manifestDigest } from '../../../src/study/hashing/fingerprint.ts'
import { manifestFaults } from '../../answers/manifest-validator.ts'
import { makeRig, type Rig, type RunChange } from '../run-rig.ts'
import { SECRET_CANARY, type ServiceDouble, startServiceDouble } from '../service-double.ts'
import {
  type Answer,
  type Fault,
  type FaultLayer,
  forwardTo,
  type Handler,
  type SeenRequest,
  startFaultLayer,
} from './fault-layer.ts'

/** One scenario of 20 rows: every request of the flow is made once, and more than one generation was paid twice. */
export const ONE_SCENARIO = `version: 1
name: demo
datasets:
  panel: { file: seeds/panel.csv }
scenarios:
  yes: { rows: 20, seed: 1, format: csv, shares: { answer: { Yes: 0.7 } } }
`

export const DEADLINE_MS = 30 * 60_000

export const SIGNATURE_CANARY = 'canary-presigned-3d7b'

/** A study, a service that works, and a bad network between the two. */
export interface FaultRig {
  readonly rig: Rig
  readonly double: ServiceDouble
  /** Stands before the token operation. */
  readonly identity: FaultLayer
  /** Stands before everything else of the service. */
  readonly service: FaultLayer
  /** A customer's storage: artifacts under presigned addresses. */
  readonly storage: FaultLayer
  /** Another host, to which redirects lead; it has the artifacts as well. */
  readonly stranger: FaultLayer
  /** The service gives presigned absolute artifact addresses. */
  presigned: boolean
  /** Limits of the client, shortened if a test must wait out a silence. */
  timeouts: Partial<ClientTimeouts>
  onEvent: (event: RunEvent) => void
  /** A client that goes through the layers. */
  client(): Promise<ServiceClient>
  /** Runs the study, with a deadline of half an hour. */
  run(change?: RunChange): Promise<RunResult>
  /** Bytes that the client has read from all its connections, with those that the layers read from the service. */
  consumedBytes(): number
  /** Fake milliseconds that the last run took. */
  elapsedMs(): number
  close(): Promise<void>
}

export async function makeFaultRig(study = ONE_SCENARIO): Promise<FaultRig> {
  const double = await startServiceDouble()
  const rig = await makeRig(double, study)
  const upstream = forwardTo(() => double.url)
  const artifacts: Handler = async ({ path }) => artifactOf(double, path)
  const identity = await startFaultLayer(upstream)
  const service = await startFaultLayer(async (request) => {
    const answer = await upstream(request)
    const isRecord = request.method === 'GET' && request.path.startsWith('/v1/generations/')
    return isRecord && faults.presigned ? withPresignedAddress(answer, storage.url) : answer
  })
  const storage = await startFaultLayer(artifacts)
  const stranger = await startFaultLayer(artifacts)
  let startedMs = rig.clock.now()
  const sockets: Socket[] = []
  const onConnect = (message: unknown) => void sockets.push((message as { socket: Socket }).socket)
  diagnosticsChannel.subscribe('net.client.socket', onConnect)

  const faults: FaultRig = {
    rig,
    double,
    identity,
    service,
    storage,
    stranger,
    presigned: false,
    timeouts: {},
    onEvent: () => {},
    client: async () =>
      createServiceClient({
        baseUrl: service.url,
        authUrl: identity.url,
        clientId: 'cli_1',
        clientSecret: SECRET_CANARY,
        now: () => rig.clock.now(),
        sleep: (ms, signal) => rig.clock.sleep(ms, signal),
        random: () => 0.5,
        timeouts: faults.timeouts,
      }),
    run: (change = {}) => {
      startedMs = rig.clock.now()
      return rig.run({
        ...change,
        options: { deadlineMs: DEADLINE_MS, ...change.options },
        env: {
          client: faults.client,
          onEvent: (event) => {
            rig.events.push(event)
            faults.onEvent(event)
          },
          ...change.env,
        },
      })
    },
    consumedBytes: () => sockets.reduce((sum, socket) => sum + socket.bytesRead, 0),
    elapsedMs: () => rig.clock.now() - startedMs,
    close: async () => {
      diagnosticsChannel.unsubscribe('net.client.socket', onConnect)
      await Promise.all([identity, service, storage, stranger].map((layer) => layer.close()))
      await double.close()
      await rig.remove()
    },
  }
  return faults
}

function withPresignedAddress(answer: Answer, storage: string): Answer {
  const record = JSON.parse(answer.body.toString('utf8')) as Record<string, unknown>
  if (typeof record.artifact_url !== 'string') return answer
  const id = String(record.generation_id)
  const artifact_url = `${storage}/bucket/${id}.csv?X-Amz-Signature=${SIGNATURE_CANARY}`
  return { ...answer, body: Buffer.from(JSON.stringify({ ...record, artifact_url })) }
}

function artifactOf(double: ServiceDouble, path: string): Answer {
  const id = /(gen_\d+)/.exec(path)?.[1] ?? ''
  const found = double.generations.get(id)
  const headers = { 'content-type': 'text/csv' }
  return found === undefined
    ? { status: 404, headers: { 'content-type': 'application/xml' }, body: Buffer.from('<Error/>') }
    : { status: 200, headers, body: found.csv }
}

/** All messages about the end of a run and of its scenarios. */
export function messagesOf({ rig }: FaultRig, result: RunResult): string {
  const ends = rig.events.flatMap((event) => {
    if (event.type === 'scenario.failed') return [faultText(event.error)]
    if (event.type === 'scenario.not_started' || event.type === 'scenario.interrupted') return [stopText(event)]
    return []
  })
  return [...ends, result.message ?? ''].join('\n')
}

/** Text of every file below the project, with its path. */
export function everyFile(root: string): [path: string, text: string][] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(root, path)).isFile())
    .map((path) => [path, readFileSync(join(root, path), 'latin1')])
}

/** Requests of one kind meet the fault; so many of them, or all. */
export function meetFault(
  { service }: FaultRig,
  requests: RegExp,
  fault: Fault,
  times = Number.POSITIVE_INFINITY,
): void {
  let left = times
  service.faultFor = ({ method, path }: SeenRequest) => {
    if (!requests.test(`${method} ${path}`) || left === 0) return null
    left--
    return fault
  }
}

/** A run whose manifest is in order, whatever came of it. */
export async function runChecked(rig: FaultRig) {
  const result = await rig.run()
  expect(manifestFaults(result.manifest)).toEqual([])
  expect(() => manifestDigest(result.manifest)).not.toThrow()
  return { exitCode: result.exitCode, messages: messagesOf(rig, result), manifest: result.manifest }
}
