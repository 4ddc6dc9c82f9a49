declare module 's3rver' {
  import type { AddressInfo } from 'node:net'
  import type { Context, S3Store } from './s3-server.ts'

  /** The parts of s3rver, which brings no types, that the tests use; it is a Koa application. */
  export default class S3rver {
    constructor(options: Readonly<Record<string, unknown>>)
    readonly middleware: ((context: Context, next: () => Promise<void>) => Promise<void>)[]
    readonly store: S3Store
    readonly logger: { silent: boolean }
    run(): Promise<AddressInfo>
    on(event: 'error', listener: (error: unknown, context: Context) => void): void
    readonly httpServer: import('node:http').Server
  }
}
