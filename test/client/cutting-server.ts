import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** How the body of an answer is framed. */
export const FRAMINGS = ['close', 'close and length', 'length', 'close and chunks', 'chunks'] as const
export type Framing = (typeof FRAMINGS)[number]

/** How a connection ends: in order, or by a reset. */
export const ENDS = ['FIN', 'RST'] as const
export type End = (typeof ENDS)[number]

export interface Cut {
  readonly framing?: Framing
  readonly end: End
  /** Bytes of the body after which the connection ends. */
  readonly at: number
  /** An upload is answered with 413 before its connection ends. */
  readonly refuses?: boolean
}

export interface CuttingServer {
  readonly url: string
  /** Cuts the first request for `path`; later ones are carried out. */
  cut(path: string, cut: Cut): void
  /** SHA-256 of the body of each request that was received whole. */
  readonly received: string[]
  close(): Promise<void>
}

const PIECE = 64 * 1024
const RECEIPT = JSON.stringify({ dataset_id: 'ds_1', status: 'processing', job_id: 'job_1' })

/** HTTP over bare sockets, so that a connection can end at any byte. Downloads are what `artifactAt` has; uploads are hashed. */
export async function startCuttingServer(artifactAt: (path: string) => Buffer): Promise<CuttingServer> {
  const cuts = new Map<string, Cut>()
  const received: string[] = []
  const sockets = new Set<Socket>()

  async function serve(socket: Socket): Promise<void> {
    for (;;) {
      const request = await readHead(socket)
      if (request === null) return
      const cut = cuts.get(request.path)
      cuts.delete(request.path)
      if (request.method === 'GET') await sendArtifact(socket, artifactAt(request.path), cut)
      else if (cut === undefined) await receive(socket, request, received)
      else return await receiveSome(socket, request.begun.length, cut)
      if (cut !== undefined) return end(socket, cut.end)
    }
  }
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    serve(socket).catch(() => socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: (path, cut) => void cuts.set(path, cut),
    received,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

interface Request {
  readonly method: string
  readonly path: string
  readonly length: number
  /** The part of the body that has arrived. */
  readonly begun: Buffer
}

/** Null when the connection ends instead. */
async function readHead(socket: Socket): Promise<Request | null> {
  let bytes = Buffer.alloc(0)
  for (;;) {
    const piece = await nextPiece(socket)
    if (piece === null) return null
    bytes = Buffer.concat([bytes, piece])
    const end = bytes.indexOf('\r\n\r\n')
    if (end < 0) continue
    const head = bytes.subarray(0, end).toString('latin1')
    const [method = '', path = ''] = head.split(' ')
    return {
      method,
      path,
      length: Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0),
      begun: bytes.subarray(end + 4),
    }
  }
}

/** The next bytes; null at the end of the connection. */
async function nextPiece(socket: Socket): Promise<Buffer | null> {
  for (;;) {
    const piece = socket.read() as Buffer | null
    if (piece !== null) return piece
    if (socket.readableEnded || socket.destroyed) return null
    await new Promise<void>((resolve) => {
      const events = ['readable', 'end', 'close'] as const
      const wake = () => {
        for (const event of events) socket.off(event, wake)
        resolve()
      }
      for (const event of events) socket.on(event, wake)
    })
  }
}

/** Resolves when the bytes have left this process: what comes after them is not lost with the connection's end. */
const write = (socket: Socket, bytes: string | Buffer) =>
  new Promise<void>((resolve, reject) => socket.write(bytes, (error) => (error ? reject(error) : resolve())))

async function sendArtifact(socket: Socket, artifact: Buffer, cut: Cut | undefined): Promise<void> {
  const { framing = 'length', at = artifact.length } = cut ?? {}
  const isChunked = framing.includes('chunks')
  const head = ['HTTP/1.1 200 OK', 'content-type: application/vnd.apache.parquet']
  if (framing.includes('close')) head.push('connection: close')
  if (framing.includes('length')) head.push(`content-length: ${artifact.length}`)
  if (isChunked) head.push('transfer-encoding: chunked')
  await write(socket, `${head.join('\r\n')}\r\n\r\n`)
  for (let sent = 0; sent < at; sent += PIECE) {
    const piece = artifact.subarray(sent, Math.min(at, sent + PIECE))
    await write(socket, isChunked ? Buffer.concat([Buffer.from(`${PIECE.toString(16)}\r\n`), piece]) : piece)
    if (isChunked && piece.length === PIECE) await write(socket, '\r\n')
  }
}

async function receive(socket: Socket, { path, length, begun }: Request, received: string[]): Promise<void> {
  const hash = createHash('sha256').update(begun)
  for (let seen = begun.length; seen < length; ) {
    const piece = await nextPiece(socket)
    if (piece === null) throw new Error('the request broke off')
    seen += piece.length
    hash.update(piece)
  }
  if (path !== '/oauth/token') received.push(hash.digest('hex'))
  const [status, body] =
    path === '/oauth/token'
      ? ['200 OK', '{"access_token":"token-1","token_type":"Bearer","expires_in":86400}']
      : ['202 Accepted', RECEIPT]
  await write(
    socket,
    `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
}

async function receiveSome(socket: Socket, begun: number, cut: Cut): Promise<void> {
  for (let seen = begun; seen < cut.at; ) {
    const piece = await nextPiece(socket)
    if (piece === null) return
    seen += piece.length
  }
  if (cut.refuses) {
    const body = 'too large '.repeat(20_000)
    const head = `content-type: text/plain\r\nconnection: close\r\ncontent-length: ${body.length}`
    await write(socket, `HTTP/1.1 413 Content Too Large\r\n${head}\r\n\r\n${body}`)
  }
  end(socket, cut.end)
}

function end(socket: Socket, how: End): void {
  if (how === 'RST') socket.resetAndDestroy()
  else socket.end()
}
