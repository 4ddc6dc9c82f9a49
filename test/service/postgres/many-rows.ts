import type { Database } from '../../../src/service/store/database.ts'

/** Rows of each table: enough that reading all of them for one would be felt, and planned otherwise. */
const ROWS = 30_000
const TENANTS = 30

/**
 * Fills an empty database. Of each kind there is `ten_2`, `ds_1`, `gen_1`, `job_1` and so on up to 30,000; every thousandth
 * job has not ended, and 20 are held by somebody.
 */
export async function insertManyRows(db: Database): Promise<void> {
  const n = `generate_series(1, ${ROWS}) as n`
  await db.exec(`
    insert into tenants (tenant_id, name, subscription_rows, created_at)
      select 'ten_' || n, 'T', 1000000000, now() - n * interval '1 minute' from generate_series(1, ${TENANTS}) as n;
    insert into clients (client_id, tenant_id, token_epoch, created_at)
      select 'cli_' || n, 'ten_' || 1 + n % ${TENANTS}, case when n % 1000 = 0 then 1 else 0 end, now() from ${n};
    insert into signups (request_id, company_name, contact_email, status, client_id, created_at, decided_at)
      select 'req_' || n, 'C', n || '@example.com', 'approved', 'cli_' || n, now() - n * interval '1 second', now() from ${n};
    insert into claim_tokens (token_hash, client_id, sealed, created_at, expires_at)
      select 'hash_' || n, 'cli_' || n, null, now(), now() + interval '7 days' from ${n};
    insert into credential_rotations (token_hash, client_id, idempotency_key, sealed, created_at)
      select 'hash_' || n, 'cli_' || n, 'key', 'sealed', now() - interval '2 days' from ${n};
    insert into datasets (dataset_id, tenant_id, job_id, status, auto_clean, request_id, created_at, expires_at, seed_bytes,
        seed_sha256, model_blob, schema)
      select 'ds_' || n, 'ten_' || 1 + n % ${TENANTS}, 'job_' || n, 'ready', true, 'req', now() - n * interval '1 second',
        now() + interval '1 day', 1, 'x', 'models/' || n, '[]' from ${n};
    insert into schema_pieces (dataset_id, attempt, piece, is_last, json)
      select 'ds_' || n, 1, 0, true, '[]' from ${n};
    insert into orders (dataset_id, tenant_id, columns_key, blob_key, bytes, used_at)
      select 'ds_' || n, 'ten_' || 1 + n % ${TENANTS}, 'key', 'orders/' || n, 1, now() from ${n};
    insert into jobs (job_id, tenant_id, kind, status, dataset_id, generation_id, created_at, deadline_at, finished_at)
      select 'job_' || n, 'ten_' || 1 + n % ${TENANTS}, 'generation', case when n % 1000 = 0 then 'queued' else 'completed' end,
        'ds_' || n, 'gen_' || n, now(), now() + interval '1 hour', case when n % 1000 = 0 then null else now() end from ${n};
    insert into generations (generation_id, tenant_id, dataset_id, job_id, status, request_id, row_count, seed, output_format,
        conditions, created_at, expires_at, rows_generated, artifact_bytes, artifact_blob)
      select 'gen_' || n, 'ten_' || 1 + n % ${TENANTS}, 'ds_' || n, 'job_' || n,
        case when n % 1000 = 0 then 'processing' else 'ready' end, 'req', 10, 1, 'csv', '{}', now(), now() + interval '1 day',
        10, n, case when n % 1000 = 0 then null else 'artifacts/' || n end from ${n};
    insert into ledger (generation_id, tenant_id, dataset_id, rows_generated, created_at)
      select 'gen_' || n, 'ten_' || 1 + n % ${TENANTS}, 'ds_' || n, 10, now() from ${n} where n % 1000 <> 0;
    insert into idempotency_keys (tenant_id, operation, key, resource_id, fingerprint, holder, lease_until)
      select 'ten_' || 1 + n % ${TENANTS}, 'createGeneration', 'key_' || n, 'gen_' || n, 'f', 'h', now() from ${n};
    insert into queue_entries (job_id, queue, tenant_id, is_small, holder, available_at, setbacks)
      select 'job_' || n, 'generation', 'ten_' || 1 + n % ${TENANTS}, n % 100 = 0,
        case when n <= 20 then gen_random_uuid() end, case when n <= 20 then now() + interval '1 minute' end,
        case when n % 1000 = 0 then 1 else 0 end from ${n};
    insert into queue_turns (queue, tenant_id, turn) select 'generation', 'ten_' || n, n from ${n};
    insert into doomed_blobs (blob_key, due_at) select 'seeds/' || n, now() + interval '1 hour' from ${n};
    insert into operator_actions (action_id, at, operation, request_id, address, status)
      select 'act_' || n, now() - n * interval '1 second', 'approveSignup', 'req_' || n, '127.0.0.1', 200 from ${n};
    insert into asked_questions (dataset_id, client_id, day, question)
      select 'ds_' || n, 'cli_' || n, current_date, sha256('x'::bytea) from ${n};
    insert into question_counts (dataset_id, client_id, day, questions)
      select 'ds_' || n, 'cli_' || n, current_date, 1 from ${n};
    insert into webhooks (webhook_id, tenant_id, url, events, secret_sealed, created_at)
      select 'whk_' || n, 'ten_' || 1 + n % ${TENANTS}, 'https://receiver.example/' || n, '{job.completed}', 's', now() from ${n};
    insert into webhook_messages (message_id, webhook_id, type, body, created_at, status, due_at, give_up_at)
      select 'msg_' || n, 'whk_' || 1 + n % 100, 'job.completed', '{}', now() - n * interval '1 second',
        case when n % 1000 = 0 then 'pending' else 'delivered' end, now() + interval '1 hour', now() + interval '3 days'
      from ${n};
    insert into uploads (upload_id, tenant_id, sha256, bytes, part_bytes, created_at, expires_at, dataset_id)
      select 'upl_' || n, 'ten_' || 1 + n % ${TENANTS}, n, 1, 1, now(), now() + interval '1 day',
        case when n % 1000 = 0 then null else 'ds_' || n end from ${n};
    insert into upload_parts (upload_id, number, blob_key) select 'upl_' || n, 1, 'parts/' || n from ${n};
    insert into generation_plans (generation_id, plan, blob_key) select 'gen_' || n, '{}', 'plans/' || n from ${n};
    insert into generation_parts (job_id, generation_id, first_row, end_row, blob_key, bytes)
      select 'part_' || n, 'gen_' || n, 0, 10, 'pieces/' || n, 1 from ${n};
    insert into usage_changes (tenant_id, rows_billed) select 'ten_' || 1 + n % ${TENANTS}, 1 from ${n};
  `)
  await db.exec('vacuum analyze')
}
