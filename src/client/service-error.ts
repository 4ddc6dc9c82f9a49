import { WhatifError } from '../base/whatif-error.ts'
import type { CallTrouble } from './call-ledger.ts'
import type { Problem } from './replies.ts'

/**
 * Who must act. `auth` and `forbidden`: the holder of the credentials, or of the configuration. `quota`: the payer.
 * `rejected` and `too_large`: the author of the request. `not_found`, `gone` and `conflict` depend on the resource.
 * `server`, `network` and `deadline`: time helps. `reply`: the service, which violated the contract.
 */
export type ServiceErrorKind =
  | 'auth'
  | 'quota'
  | 'not_found'
  | 'gone'
  | 'conflict'
  | 'rejected'
  | 'too_large'
  | 'server'
  | 'network'
  | 'deadline'
  | 'reply'
  | 'forbidden'

export interface ServiceErrorInit {
  readonly kind: ServiceErrorKind
  /** The request and its result; the request id and the hint are appended to it. It names no host. */
  readonly message: string
  /** The same with the address, if that helps. */
  readonly located?: string
  readonly status?: number | null
  readonly code?: string | null
  readonly problem?: Problem | null
  readonly requestId?: string | null
  readonly attempts?: number
  readonly hint?: string | null
  readonly cause?: unknown
  readonly trouble?: CallTrouble | null
}

/**
 * Why a call to the service has no result. `code` is the stable code of the service, with its prefix, or the kind if
 * the service sent none. The message ends with the hint. Texts of the service in it are bounded and contain no secret.
 * Files may contain the message. `located` adds the service's address and is for terminals only.
 */
export class ServiceError extends WhatifError {
  readonly kind: ServiceErrorKind
  /** HTTP status of the last answer; null when there was none. */
  readonly status: number | null
  readonly problem: Problem | null
  readonly requestId: string | null
  /** Tries made; 0 when nothing was sent. */
  readonly attempts: number
  /** The request and its result: the message without request id and hint. */
  readonly summary: string
  /** The message with the address of the service, if that helps. */
  readonly located: string
  /** The trouble of a call that got no usable answer in any try. */
  readonly trouble: CallTrouble | null

  constructor(init: ServiceErrorInit) {
    const requestId = init.requestId ?? null
    const hint = init.hint ?? null
    const rest = [
      ...(requestId === null ? [] : [`Request id: ${requestId}.`]),
      ...(hint === null ? [] : [sentence(hint)]),
    ]
    const full = (text: string) => [sentence(text), ...rest].join(' ')
    super(init.code ?? init.kind, full(init.message), { hint, cause: init.cause })
    this.kind = init.kind
    this.status = init.status ?? null
    this.problem = init.problem ?? null
    this.requestId = requestId
    this.attempts = init.attempts ?? 0
    this.summary = sentence(init.message)
    this.located = full(init.located ?? init.message)
    this.trouble = init.trouble ?? null
  }
}

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)
