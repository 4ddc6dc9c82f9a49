import { type Block, code, type Section, text } from './document.ts'
import type { GuideFacts } from './limits-table.ts'

/**
 * The way from signup to a file of synthetic rows, with curl. Secrets are in files, so that the list of processes does not show
 * them.
 */
export function quickstart({ baseUrl, foreignIssuer, claims }: GuideFacts): Section {
  return {
    id: 'quickstart',
    title: 'Quickstart',
    blocks: [
      ...(foreignIssuer === null ? ownCredentials(baseUrl, claims) : foreignCredentials(baseUrl, foreignIssuer)),
      text('Write `auth.header` with one line, `Authorization: Bearer …`. Then upload, and wait for the training:'),
      code(
        'sh',
        `
curl -sS "$BASE/v1/datasets" -H @auth.header -H 'Idempotency-Key: tracker-2026-05' \\
  -F display_name='Coffee tracker' -F wait_seconds=60 -F seed_file=@tracker.csv
curl -sS "$BASE/v1/jobs/$JOB_ID" -H @auth.header`,
      ),
      text('Read the cleaned schema, request a scenario, poll it, and download the rows:'),
      code(
        'sh',
        `
curl -sS "$BASE/v1/datasets/$DATASET_ID/schema" -H @auth.header
curl -sS "$BASE/v1/datasets/$DATASET_ID/generations" -H @auth.header \\
  -H 'Content-Type: application/json' -H 'Idempotency-Key: north-70' \\
  -d '{"row_count": 1000, "conditions": {"categorical": {"region": {"North": 0.7}}}}'
curl -sS "$BASE/v1/generations/$GENERATION_ID" -H @auth.header
curl -sS "$BASE$ARTIFACT_URL" -H @auth.header -o rows.parquet`,
      ),
      text(
        'The package has these steps as a script, `examples/service/walk.sh`. The commands `whatif auth` and `whatif run` do the same.',
      ),
    ],
  }
}

function ownCredentials(baseUrl: string, claims: GuideFacts['claims']): Block[] {
  return [
    text('Request access, and read the status until the operator has approved it:'),
    code(
      'sh',
      `
BASE=${baseUrl}
umask 077
curl -sS "$BASE/v1/signup" -H 'Content-Type: application/json' \\
  -d '{"company_name": "Harbour Coffee Research",
       "contact_email": "data@harbour.example"}'
curl -sS "$BASE/v1/signup/$REQUEST_ID"`,
    ),
    text(
      `Redeem the claim token${claims === 'operator' ? ' that the operator gives you' : ''}, once. Write \`claim.json\` with an editor, \`{"claim_token": "…"}\`, and keep \`credentials.json\`:`,
    ),
    code(
      'sh',
      `
curl -sS "$BASE/v1/credential-claims" -H 'Content-Type: application/json' \\
  -d @claim.json -o credentials.json
curl -sS "$TOKEN_URL" -H 'Content-Type: application/json' \\
  -d @credentials.json -o token.json`,
    ),
    text(
      '`credentials.json` has the four fields that a token request needs; others are ignored. `token.json` contains the token.',
    ),
  ]
}

function foreignCredentials(baseUrl: string, issuer: string): Block[] {
  return [
    text(
      `Get an access token for the audience \`${baseUrl}\` from the identity provider \`${issuer}\`, as its documentation describes.`,
    ),
    code(
      'sh',
      `
BASE=${baseUrl}
umask 077`,
    ),
  ]
}
