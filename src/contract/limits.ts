import { MAX_SEGMENTS } from '../base/segment-limit.ts'

/** Limits of the service: those of the specification ("Limits"), and this service's own where it has none. */

/** Largest seed file: 500 MB, read as 500 × 2^20 bytes. */
export const MAX_SEED_FILE_BYTES = 500 * 1024 * 1024

/** Longest `display_name`, in code points. */
export const MAX_DISPLAY_NAME_CODE_POINTS = 200

/** Longest synchronous wait of an upload or generation, in seconds. */
export const MAX_WAIT_SECONDS = 60

/** Largest page of `GET /v1/datasets`. */
export const MAX_PAGE_SIZE = 100

/** Lifetime of a bearer token, in seconds. */
export const TOKEN_LIFETIME_SECONDS = 24 * 60 * 60

/** Requests for access that may wait for the operator's decision. */
export const MAX_PENDING_SIGNUPS = 10_000

/** How long a request for access waits for a decision before it counts as declined, in days. */
export const PENDING_SIGNUP_DAYS = 30

/** How long a claim token can be used, in seconds: 7 days. */
export const CLAIM_TOKEN_LIFETIME_SECONDS = 7 * 24 * 60 * 60

/** Rotations of a client's secret within the window below. */
export const MAX_ROTATIONS = 3

/** The window of `MAX_ROTATIONS`, in seconds. */
export const ROTATION_WINDOW_SECONDS = 24 * 60 * 60

/** Default retention of datasets and generations, in hours. */
export const DEFAULT_RETENTION_HOURS = 24

/** Longest retention that an operator can set, in hours: 7 days. */
export const MAX_RETENTION_HOURS = 7 * 24

/** Lifetime of a managed artifact address, in seconds. */
export const ARTIFACT_URL_LIFETIME_SECONDS = 15 * 60

/** Largest JSON request body that our service accepts, in bytes. */
export const MAX_JSON_BODY_BYTES = 1024 * 1024

/** Most keys in a JSON body: every level of the widest column that is modelled, and as many others. */
export const MAX_JSON_KEYS = 20_000

/** The same for unauthenticated requests and for the operator: these operations take a few short fields. */
export const MAX_OPEN_BODY_BYTES = 8 * 1024
export const MAX_OPEN_JSON_KEYS = 1_000

/** Default per-request cap on `row_count`; an operator sets it per tenant. */
export const DEFAULT_REQUEST_ROW_CAP = 1_000_000

/** Longest header of a column and longest level of one, in bytes of UTF-8; columns with longer ones are dropped. */
export const MAX_COLUMN_NAME_BYTES = 1024
/** Columns of replicate weights that one file may have. */
export const MAX_REPLICATE_COLUMNS = 1_000
export const MAX_LEVEL_BYTES = 1024

/** Largest cleaned schema, in bytes; columns that take most of a larger one are dropped. */
export const MAX_SCHEMA_BYTES = 4 * 1024 * 1024

/** Largest list of targets in the record of a generation, in bytes. */
export const MAX_TARGETS_BYTES = 1024 * 1024

/** Most field errors, and most names in a hint, in one problem record. */
export const MAX_PROBLEM_ENTRIES = 50

/** Largest problem record, in bytes. */
export const MAX_PROBLEM_BYTES = 64 * 1024

/** Most outcomes in one request for estimates. */
export const MAX_ESTIMATE_OUTCOMES = 50

/** Most levels in an estimate of shares, the most frequent first. */
export const MAX_ESTIMATED_LEVELS = 500

/** Most tables of cells of one scenario, and most cells of a table. */
export const MAX_CELL_TABLES = 8
export const MAX_CELLS = 1_000

/** Most means of one scenario: each is a constraint of the same search. */
export const MAX_MEANS = 16

/** Most other scenarios whose differences are looked at together with that of a request for estimates. */
export const MAX_TOGETHER = 40

/** Most further differences in one request for estimates. */
export const MAX_FURTHER = 250

/** Most levels of the column by which estimates are divided into segments. */
export const MAX_ESTIMATED_SEGMENTS = MAX_SEGMENTS
/** Columns of a filter of rows, and levels of one of them. */
export const MAX_FILTERS = 20
export const MAX_FILTER_LEVELS = 1000
/** Quantiles of an outcome, and how near an end one may lie, as a share of the rows. */
export const MAX_QUANTILES = 9
export const LEAST_QUANTILE = 0.01

/** Webhooks of a tenant. */
export const MAX_WEBHOOKS = 10
/** Longest address of a webhook, in characters, and its longest description. */
export const MAX_WEBHOOK_URL = 2048
export const MAX_WEBHOOK_DESCRIPTION = 200
/** How long a delivery is repeated, in hours. */
export const WEBHOOK_RETRY_HOURS = 72
/** How long an answer to a delivery may take, in seconds. */
export const WEBHOOK_ANSWER_SECONDS = 15
/** After so many days without a success, a webhook is disabled. */
export const WEBHOOK_DISABLED_AFTER_DAYS = 5
/** How long ended deliveries are kept, in days. */
export const WEBHOOK_KEPT_DAYS = 7
/** How long the earlier secret signs after a rotation, in hours. */
export const WEBHOOK_OVERLAP_HOURS = 24
/** Most messages that one replay sends again. */
export const MAX_REPLAYED_DELIVERIES = 1_000
/** How long before the end of its retention a dataset is announced, in hours. */
export const EXPIRY_NOTICE_HOURS = 2
