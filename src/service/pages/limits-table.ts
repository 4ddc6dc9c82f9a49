import { countText } from '../../base/text/amount-text.ts'
import * as contract from '../../contract/limits.ts'
import type { ClaimsWay, Settings } from '../settings/settings.ts'
import { type Block, table } from './document.ts'

/** Limits that depend on the service's settings. */
export interface LimitsFacts
  extends Pick<Settings, 'rateLimits' | 'clientRate' | 'addressRate' | 'clientQuestions' | 'webhooks'> {
  /** Issuer of tokens if another identity provider mints them; null if the service does. */
  readonly foreignIssuer: string | null
}

/** Every limit of the service, from the constants that enforce it. */
export function limitsTable(facts: LimitsFacts): Block {
  return table(['Limit', 'Value', 'Applies to'], limitRows(facts))
}

function limitRows(facts: LimitsFacts): string[][] {
  const { rateLimits, clientRate, addressRate, foreignIssuer } = facts
  return [
    ['Seed file', megabytes(contract.MAX_SEED_FILE_BYTES), '`POST /v1/datasets`'],
    ['`display_name`', `${contract.MAX_DISPLAY_NAME_CODE_POINTS} characters`, '`POST /v1/datasets`'],
    ['`wait_seconds`', `0 to ${contract.MAX_WAIT_SECONDS}, default 0`, 'uploads and generations'],
    ['Page', `\`limit\` 1 to ${contract.MAX_PAGE_SIZE}`, '`GET /v1/datasets`'],
    [
      'Column names and levels',
      `${kibibytes(contract.MAX_COLUMN_NAME_BYTES)} of UTF-8 a name, ${kibibytes(contract.MAX_LEVEL_BYTES)} a level; longer texts are free text`,
      'seed files: such columns are dropped, with the reason',
    ],
    [
      'Replicate weights',
      `2 to ${countText(contract.MAX_REPLICATE_COLUMNS)} columns`,
      '`design` of `POST /v1/datasets`',
    ],
    [
      'Cleaned schema',
      `${megabytes(contract.MAX_SCHEMA_BYTES)}; the columns that take most of a larger one are dropped`,
      '`GET /v1/datasets/{dataset_id}/schema`',
    ],
    [
      'JSON body',
      `${megabytes(contract.MAX_JSON_BODY_BYTES)} and ${countText(contract.MAX_JSON_KEYS)} keys`,
      'operations with a bearer token',
    ],
    [
      'JSON or form body',
      `${kibibytes(contract.MAX_OPEN_BODY_BYTES)} and ${countText(contract.MAX_OPEN_JSON_KEYS)} keys`,
      'signup, claims, tokens and the operator',
    ],
    [
      '`row_count`',
      `${countText(contract.DEFAULT_REQUEST_ROW_CAP)} unless the operator has set another limit`,
      'one generation',
    ],
    [
      '`outcomes`',
      `${contract.MAX_ESTIMATE_OUTCOMES}, and the ${contract.MAX_ESTIMATED_LEVELS} most frequent levels of each`,
      'one request for estimates',
    ],
    ['Means', `at most ${contract.MAX_MEANS} columns`, 'the conditions of one request'],
    [
      'Cells',
      `at most ${contract.MAX_CELL_TABLES} tables of ${contract.MAX_CELLS} cells each`,
      'the conditions of one request',
    ],
    ['`together`', `at most ${contract.MAX_TOGETHER} other scenarios`, 'one request for estimates'],
    ['`further`', `at most ${contract.MAX_FURTHER} further scenarios`, 'one request for estimates'],
    ['`by`', `a column of at most ${contract.MAX_ESTIMATED_SEGMENTS} levels`, 'one request for estimates'],
    [
      'Quantiles',
      `1 to ${contract.MAX_QUANTILES}, from ${contract.LEAST_QUANTILE} to ${1 - contract.LEAST_QUANTILE}`,
      'one outcome of a request for estimates',
    ],
    [
      '`where`',
      `1 to ${contract.MAX_FILTERS} columns, and at most ${countText(contract.MAX_FILTER_LEVELS)} levels of each`,
      'one request for estimates',
    ],
    ...questionRows(facts),
    ...webhookRows(facts),
    ['Rows returned', 'never more than `row_count`', 'generations'],
    ...(foreignIssuer === null ? credentialRows() : []),
    [
      'Retention',
      `${contract.DEFAULT_RETENTION_HOURS} hours, at most ${contract.MAX_RETENTION_HOURS} hours if the operator extends it`,
      'datasets and generations',
    ],
    ['Reported targets', `as many as fit into ${megabytes(contract.MAX_TARGETS_BYTES)}`, '`targets` of a generation'],
    ['Artifact address', `${contract.ARTIFACT_URL_LIFETIME_SECONDS / 60} minutes`, 'until it expires'],
    [
      'Reported faults',
      `${contract.MAX_PROBLEM_ENTRIES} in one problem record, which has at most ${kibibytes(contract.MAX_PROBLEM_BYTES)}`,
      '`errors` and `schema_hint`',
    ],
    ...(rateLimits
      ? [
          [
            'Requests',
            `${clientRate.perSecond} a second, ${countText(clientRate.burst)} at once`,
            'one client, at each process of the service',
          ],
          [
            'Open operations',
            `${addressRate.perSecond} a second, ${countText(addressRate.burst)} at once`,
            'one address, at each process: signup, claims, tokens, documents',
          ],
        ]
      : [['Requests', 'not counted by this service', 'all operations']]),
  ]
}

function questionRows({ clientQuestions }: LimitsFacts): string[][] {
  if (clientQuestions === null) return []
  return [
    [
      'Questions',
      `estimates about ${countText(clientQuestions)} different groups of people a day (UTC); other shares of the same group are no new question`,
      'one client and dataset',
    ],
  ]
}

function webhookRows({ webhooks }: LimitsFacts): string[][] {
  if (webhooks === 'none') return [['Webhooks', 'none: this service sends nothing', 'all tenants']]
  return [
    [
      'Webhooks',
      `at most ${contract.MAX_WEBHOOKS}; addresses of ${countText(contract.MAX_WEBHOOK_URL)} characters, descriptions of ${contract.MAX_WEBHOOK_DESCRIPTION}`,
      'one tenant',
    ],
    [
      'Deliveries',
      `repeated for ${contract.WEBHOOK_RETRY_HOURS} hours, kept for ${contract.WEBHOOK_KEPT_DAYS} days; an answer may take ${contract.WEBHOOK_ANSWER_SECONDS} s`,
      `one webhook; it is disabled after ${contract.WEBHOOK_DISABLED_AFTER_DAYS} days without a success`,
    ],
    [
      'Replay',
      `at most ${countText(contract.MAX_REPLAYED_DELIVERIES)} messages`,
      '`POST /v1/webhooks/{webhook_id}/replay`',
    ],
    [
      'Earlier secret',
      `signs for ${contract.WEBHOOK_OVERLAP_HOURS} hours after a rotation`,
      '`POST /v1/webhooks/{webhook_id}/rotate`',
    ],
    ['Notice', `${contract.EXPIRY_NOTICE_HOURS} hours before the end of retention`, 'the event `dataset.expiring`'],
  ]
}

function credentialRows(): string[][] {
  return [
    [
      'Requests for access',
      `${countText(contract.MAX_PENDING_SIGNUPS)} wait at most; declined after ${contract.PENDING_SIGNUP_DAYS} days without a decision`,
      '`POST /v1/signup`',
    ],
    ['Claim token', `${hours(contract.CLAIM_TOKEN_LIFETIME_SECONDS)}, once`, 'from the approval on'],
    [
      'Rotations of a secret',
      `${contract.MAX_ROTATIONS} in ${hours(contract.ROTATION_WINDOW_SECONDS)}`,
      'one client, `POST /v1/credential-rotations`',
    ],
    ['Bearer token', hours(contract.TOKEN_LIFETIME_SECONDS), 'until it expires'],
  ]
}

function megabytes(bytes: number): string {
  return `${bytes / 2 ** 20} MB`
}

function kibibytes(bytes: number): string {
  return `${bytes / 2 ** 10} KiB`
}

function hours(seconds: number): string {
  return `${seconds / 3600} hours`
}

/** The parts of the guide that depend on this service. */
export interface GuideFacts extends LimitsFacts {
  readonly baseUrl: string
  readonly authUrl: string
  /** See ContractAddresses. */
  readonly takesExtensions?: boolean
  readonly version: string
  readonly claims: ClaimsWay
}
