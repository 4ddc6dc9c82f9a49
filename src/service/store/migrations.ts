import type { Migration } from './migrate.ts'
import { ACCESS_MIGRATION } from './migrations/access.ts'
import { PARTS_MIGRATION } from './migrations/parts.ts'
import { QUEUE_MIGRATION } from './migrations/queue.ts'
import {
  AUDIT_MIGRATION,
  DESIGNS_MIGRATION,
  FAILURES_MIGRATION,
  FIRST_CLAIMS_MIGRATION,
  HOLDS_MIGRATION,
  INSTALLATION_MIGRATION,
  MODELS_MIGRATION,
  ORDERS_MIGRATION,
  QUESTIONS_MIGRATION,
  REVOCATION_MIGRATION,
  ROTATION_MIGRATION,
  SCHEMA_PIECES_MIGRATION,
  SCHEMAS_MIGRATION,
  SHARING_MIGRATION,
  SIGNUP_LISTS_MIGRATION,
  SWEEPS_MIGRATION,
  TRACES_MIGRATION,
  WEIGHTS_MIGRATION,
  WORK_TURNS_MIGRATION,
} from './migrations/small-changes.ts'
import { UPLOADS_MIGRATION } from './migrations/uploads.ts'
import { USAGE_MIGRATION } from './migrations/usage.ts'
import { WEBHOOKS_MIGRATION } from './migrations/webhooks.ts'
import { WORK_MIGRATION } from './migrations/work.ts'

/** The migrations of the database's schema. New ones are only appended. */
export const MIGRATIONS: readonly Migration[] = [
  { name: '001-access', sql: ACCESS_MIGRATION },
  { name: '002-work', sql: WORK_MIGRATION },
  { name: '003-rotation', sql: ROTATION_MIGRATION },
  { name: '004-revocation', sql: REVOCATION_MIGRATION },
  { name: '005-sharing', sql: SHARING_MIGRATION },
  { name: '006-orders', sql: ORDERS_MIGRATION },
  { name: '007-models', sql: MODELS_MIGRATION },
  { name: '008-traces', sql: TRACES_MIGRATION },
  { name: '009-audit', sql: AUDIT_MIGRATION },
  { name: '010-failures', sql: FAILURES_MIGRATION },
  { name: '011-first-claims', sql: FIRST_CLAIMS_MIGRATION },
  { name: '012-installation', sql: INSTALLATION_MIGRATION },
  { name: '013-usage', sql: USAGE_MIGRATION },
  { name: '014-queue', sql: QUEUE_MIGRATION },
  { name: '015-sweeps', sql: SWEEPS_MIGRATION },
  { name: '016-holds', sql: HOLDS_MIGRATION },
  { name: '017-schemas', sql: SCHEMAS_MIGRATION },
  { name: '018-signup-lists', sql: SIGNUP_LISTS_MIGRATION },
  { name: '019-schema-pieces', sql: SCHEMA_PIECES_MIGRATION },
  { name: '020-weights', sql: WEIGHTS_MIGRATION },
  { name: '021-designs', sql: DESIGNS_MIGRATION },
  { name: '022-questions', sql: QUESTIONS_MIGRATION },
  { name: '023-work-turns', sql: WORK_TURNS_MIGRATION },
  { name: '024-webhooks', sql: WEBHOOKS_MIGRATION },
  { name: '025-uploads', sql: UPLOADS_MIGRATION },
  { name: '026-parts', sql: PARTS_MIGRATION },
]
