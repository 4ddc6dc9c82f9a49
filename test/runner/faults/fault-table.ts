import type { ClientTimeouts } from '../../../src/client/transport.ts'
import type { Fault, SeenRequest } from './fault-layer.ts'
import type { FaultRig } from './fault-rig.ts'
import * as faults from './network-faults.ts'

/** Every request of a run beside everything that can become of one, and what the run comes to. */

/** A request of the flow from seed file to artifact, and where it goes. */
export interface FlowRequest {
  readonly name: string
  readonly layer: 'identity' | 'service' | 'storage'
  readonly is: (request: SeenRequest, rig: FaultRig) => boolean
  /** The condition for the request. */
  readonly prepare?: (rig: FaultRig) => void
  /** Sent and read as another request of the table: it meets each fault once, and no fault each time. */
  readonly isAlike?: true
}

const isGet = (request: SeenRequest, path: RegExp) => request.method === 'GET' && path.test(request.path)
const isPost = (request: SeenRequest, path: RegExp) => request.method === 'POST' && path.test(request.path)
const isPoll = (request: SeenRequest) => isGet(request, /^\/v1\/jobs\//)

export const REQUESTS: readonly FlowRequest[] = [
  { name: 'the token mint', layer: 'identity', is: () => true },
  {
    name: 'the token mint after a 401',
    layer: 'identity',
    is: (_, { identity }) => identity.seen.length > 1,
    prepare: ({ service }) => {
      service.faultFor = () => (service.strikes === 0 ? faults.page(401, { acted: false }) : null)
    },
    isAlike: true,
  },
  { name: 'the upload', layer: 'service', is: (r) => isPost(r, /^\/v1\/datasets$/) },
  {
    name: 'the poll of the training job',
    layer: 'service',
    is: (r, { double }) => isPoll(r) && double.made('generations') === 0,
  },
  { name: 'the dataset', layer: 'service', is: (r) => isGet(r, /^\/v1\/datasets\/[^/]+$/), isAlike: true },
  { name: 'the schema', layer: 'service', is: (r) => isGet(r, /\/schema$/) },
  { name: 'the generation request', layer: 'service', is: (r) => isPost(r, /\/generations$/) },
  {
    name: 'the poll of the generation job',
    layer: 'service',
    is: (r, { double }) => isPoll(r) && double.made('generations') === 1,
    isAlike: true,
  },
  { name: 'the generation', layer: 'service', is: (r) => isGet(r, /^\/v1\/generations\//) },
  { name: 'the download', layer: 'service', is: (r) => isGet(r, /^\/v1\/artifacts\//) },
  {
    name: 'the download from a customer’s storage',
    layer: 'storage',
    is: () => true,
    prepare: (rig) => {
      rig.presigned = true
    },
  },
]

/** The end of a run. */
interface End {
  /** Exit code when the fault is met once. */
  readonly once: number
  /** Exit code and message of a permanent fault. */
  readonly exitCode: number
  readonly says: RegExp
}

export interface TriedFault extends End {
  readonly name: string
  readonly fault: (rig: FaultRig) => Fault
  /** Least wait before the next try, in milliseconds. */
  readonly waitMs?: number
  /** The limit of the client that ends it, shortened, so that the test has to sit out less. The others stay: a busy machine is no fault. */
  readonly limits?: Partial<ClientTimeouts>
  /** As a permanent fault it equals another fault of the table. */
  readonly onlyOnce?: true
  /** A permanent fault that takes long: it meets these requests, whose answers are read in all the ways there are. */
  readonly onlyOf?: readonly string[]
  /** Other ends for some requests. */
  readonly except?: Readonly<Record<string, Partial<End>>>
}

const MINTS = ['the token mint', 'the token mint after a 401']
const POLLS = ['the poll of the training job', 'the poll of the generation job']
const DOWNLOADS = ['the download', 'the download from a customer’s storage']

const at = (names: readonly string[], end: Partial<End>) => Object.fromEntries(names.map((name) => [name, end]))

/** Passes, or is tried again by the next run. */
const passing = (name: string, fault: Fault, says: RegExp, more: Partial<TriedFault> = {}): TriedFault => ({
  name,
  fault: () => fault,
  once: 0,
  exitCode: 11,
  says,
  ...more,
})

/** Breaks the contract; of the token mint it means that something else stands there. */
const broken = (
  name: string,
  fault: TriedFault['fault'],
  says: RegExp,
  more: Partial<TriedFault> = {},
): TriedFault => ({
  name,
  fault,
  once: 0,
  exitCode: 7,
  says,
  ...more,
  except: { ...at(MINTS, { exitCode: 5 }), ...more.except },
})

/** Answers that are small, those of an upload, schemas, and artifacts. */
const KINDS = ['the token mint', 'the upload', 'the schema', ...DOWNLOADS]

const once = { onlyOnce: true } as const
const waitMs = faults.RETRY_AFTER_S * 1000

export const FAULTS: readonly TriedFault[] = [
  passing('429 with seconds', faults.rateLimitInSeconds, /answered with 429/, { waitMs }),
  passing('429 with a date', faults.rateLimitUntilDate, /answered with 429/, { waitMs, ...once }),
  passing('a page with 500', faults.page(500, { acted: false }), /answered with 500/, once),
  passing('a page with 502', faults.page(502, { acted: true }), /answered with 502/, once),
  passing('a page with 503', faults.page(503, { acted: false }), /answered with 503/),
  passing('a page with 504', faults.page(504, { acted: true }), /answered with 504/, once),
  passing('a refused connection', faults.refused, /connection refused \(ECONNREFUSED\)/),
  passing('a reset before the service acted', faults.resetBeforeActing, /the connection was/, once),
  passing('a reset after the service acted', faults.resetAfterActing, /the connection was/),
  passing('half a body', faults.halfABody, /closed before the answer was complete|shorter/),
  passing('silence', faults.silence, /no answer within the time limit/, {
    limits: { headersMs: 50, uploadHeadersMs: 50 },
    onlyOf: KINDS,
  }),
  passing('a trickle', faults.trickle, /the answer came too slowly/, {
    limits: { bodyMs: 50, lowSpeedMs: 50 },
    onlyOf: KINDS,
  }),
  passing('an error body of 50 MB', faults.hugeErrorBody, /answered with 500/, { onlyOf: KINDS }),
  broken('a redirect to another host', ({ stranger }) => faults.redirectTo(() => stranger.url), /a redirect to http/, {
    once: 7,
    except: { ...at(MINTS, { once: 5, exitCode: 5 }), ...at(DOWNLOADS, { once: 0, exitCode: 0, says: /^/ }) },
  }),
  broken('a page instead of the answer', () => faults.wrongContentType, /type text\/html|a page/),
  broken('a gzip bomb', () => faults.gzipBomb, /gzip/, { except: at(DOWNLOADS, { once: 7 }), onlyOf: KINDS }),
  broken('content that is cut', () => faults.cutContent, /not JSON|the artifact has 1\d/, {
    except: at(DOWNLOADS, { once: 7 }),
  }),
  broken('a 404 of something else', () => faults.strangersNotFound, /404/, {
    once: 7,
    except: {
      ...at(MINTS, { once: 5, exitCode: 5 }),
      ...at([...POLLS, ...DOWNLOADS], { once: 0 }),
      ...at(POLLS, { once: 0, exitCode: 0, says: /^/ }),
    },
  }),
  broken('unknown values', () => faults.unknownValues, /^/, {
    exitCode: 0,
    except: {
      ...at(MINTS, {}),
      ...at([...POLLS, 'the dataset', 'the generation'], { exitCode: 11, says: /deadline/ }),
    },
  }),
]
