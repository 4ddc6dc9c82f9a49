import { type IncomingMessage, request } from 'node:http'
import type { DataService } from './data-service.ts'

export const BOUNDARY = 'x-boundary-x'

export interface RawPart {
  readonly name?: string
  readonly filename?: string
  readonly value: string | Buffer
}

/** A multipart body written by hand: repeated, nameless and misordered parts included. */
export function rawForm(parts: readonly RawPart[], end = `--${BOUNDARY}--\r\n`): Buffer {
  const pieces: Buffer[] = []
  for (const { name, filename, value } of parts) {
    const disposition = [
      'form-data',
      ...(name === undefined ? [] : [`name="${name}"`]),
      ...(filename === undefined ? [] : [`filename="${filename}"`]),
    ].join('; ')
    pieces.push(Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: ${disposition}\r\n\r\n`))
    pieces.push(Buffer.from(value), Buffer.from('\r\n'))
  }
  return Buffer.concat([...pieces, Buffer.from(end)])
}

export interface OpenUpload {
  write(bytes: Buffer | string): Promise<void>
  end(bytes?: Buffer | string): void
  /** Ends the connection without finishing the body. */
  abort(): void
  /** The same by RST instead of FIN, as a machine that crashes or a strict firewall does. */
  reset(): void
  readonly reply: Promise<{
    status: number
    headers: IncomingMessage['headers']
    // biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
    body: any
  }>
}

/** An upload whose body is sent piece by piece. */
export async function openUpload(
  service: DataService,
  tenant: string,
  headers: Record<string, string> = {},
): Promise<OpenUpload> {
  const outgoing = request({
    host: '127.0.0.1',
    port: service.port,
    method: 'POST',
    path: '/v1/datasets',
    headers: {
      authorization: `Bearer ${await service.token(tenant)}`,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'transfer-encoding': 'chunked',
      ...headers,
    },
  })
  const reply = new Promise<Awaited<OpenUpload['reply']>>((resolve, reject) => {
    outgoing.once('error', reject)
    outgoing.once('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('error', reject)
      response.once('end', () => {
        const text = Buffer.concat(chunks).toString()
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: text === '' ? null : JSON.parse(text),
        })
      })
    })
  })
  // An aborted upload has no reply; the test that aborts says so.
  reply.catch(() => undefined)
  return {
    write: (bytes) =>
      new Promise((resolve) => {
        outgoing.write(bytes, () => resolve())
      }),
    end: (bytes) => void outgoing.end(bytes),
    abort: () => void outgoing.destroy(),
    reset: () => void outgoing.socket?.resetAndDestroy(),
    reply,
  }
}
