import { OUTPUT_FORMAT_NAMES } from '../../base/result-formats.ts'
import { ERROR_CATALOGUE, RETRYABLE_STATUSES } from '../../contract/errors.ts'
import { IDEMPOTENCY_KEY_PATTERN } from '../../contract/ids.ts'
import { TERMINAL_JOB_STATUSES } from '../../contract/jobs.ts'
import * as limits from '../../contract/limits.ts'
import { CONTRACT_VERSION } from '../../contract/openapi/openapi.ts'
import { code, type Document, list, type Section, steps, table, text } from './document.ts'
import { type GuideFacts, limitsTable } from './limits-table.ts'
import { quickstart } from './quickstart.ts'

/** The guide: `/docs` for people, the first half of `/llms-full.txt` for programs. */
export function guide(facts: GuideFacts): Document {
  return {
    title: 'Synthetic scenario data service: guide',
    lead: 'Upload a seed dataset, read its cleaned schema, request synthetic rows that follow a scenario, download them.',
    sections: [
      inShort,
      quickstart(facts),
      access(facts),
      upload,
      cleanedSchema,
      scenario,
      polling,
      download,
      estimates,
      errors,
      idempotency,
      { id: 'limits', title: 'Limits', blocks: [limitsTable(facts)] },
      versioning,
      documents,
    ],
  }
}

/** Lifetime of a claim token. */
const CLAIM_DAYS = limits.CLAIM_TOKEN_LIFETIME_SECONDS / 86_400

const inShort: Section = {
  id: 'in-short',
  title: 'In short',
  blocks: [
    text(
      'The service is for what-if questions in consumer and market research. It cleans a seed file (survey responses, customers, orders), trains a model on it, and generates rows whose mix you choose: "70 % from the North, aged 18 to 34". The seed data determine everything that you do not fix.',
    ),
    list(
      'Access is limited to approved companies; credentials belong to one tenant.',
      'Training and generation take time. A `202` is normal and names a job to poll.',
      'Conditions are built from the cleaned schema of the trained dataset, never from the headers of the file.',
      'A generation can return fewer rows than requested, never more. Usage counts generated rows.',
      'Every reply carries `X-Request-Id`. Keep it, and `job_id`, `dataset_id` and `generation_id`, for support.',
      'Send, and repeat, every POST that creates work with an `Idempotency-Key`.',
    ),
  ],
}

function access(facts: GuideFacts): Section {
  const { baseUrl, authUrl, foreignIssuer, claims } = facts
  const addresses = [
    ['Service, `{base_url}`, the audience of tokens', `\`${baseUrl}\``],
    ['Identity provider, `{auth_url}`', `\`${authUrl}\``],
  ]
  const refusals = text(
    'A missing, malformed, expired, wrong-audience or wrong-tenant token gives the same `401`: mint a new token, then check `audience` and the address.',
  )
  if (foreignIssuer !== null)
    return {
      id: 'access',
      title: 'Access',
      blocks: [
        text(
          `Tokens of this service come from the identity provider \`${foreignIssuer}\`. Its documentation says how a client gets credentials, mints a token and renews a secret. The service’s own claims, rotations and token operation answer \`503\`.`,
        ),
        steps(
          '`POST /v1/signup` with `company_name` and `contact_email` asks the operator for a tenant; `GET /v1/signup/{request_id}` shows when it is `approved`. The operator and the identity provider then give your client access to that tenant.',
          'Send `Authorization: Bearer <access_token>` with every other call under `/v1/`, downloads included.',
        ),
        table(['Name', 'Value'], addresses),
        refusals,
      ],
    }
  return {
    id: 'access',
    title: 'Access',
    blocks: [
      steps(
        '`POST /v1/signup` with `company_name` and `contact_email`: `202` with a `request_id`. While a request for this e-mail is pending or approved, `200` with the same one.',
        claims === 'status'
          ? '`GET /v1/signup/{request_id}` until `status` is `approved` (or `declined`). After the approval it shows `client_id`, and a one-time `credential_claim_token` until that is claimed or expires.'
          : '`GET /v1/signup/{request_id}` until `status` is `approved` (or `declined`). After the approval it shows `client_id`. The operator gives you the one-time claim token.',
        '`POST /v1/credential-claims` with `claim_token`: `client_id`, `client_secret`, `token_url`, `audience` and `grant_type`. The secret is shown only this once; store it like other production secrets.',
        'Send `client_id`, `client_secret`, `audience` and `grant_type` to `token_url` as JSON. The reply has `access_token`, a JWT.',
        'Send `Authorization: Bearer <access_token>` with every other call under `/v1/`, downloads included.',
      ),
      table(
        ['Name', 'Value'],
        [...addresses, ['A token is valid for', `${limits.TOKEN_LIFETIME_SECONDS / 3600} hours`]],
      ),
      text(
        claims === 'status'
          ? `Claim as soon as you are approved. Until then, for at most ${CLAIM_DAYS} days after the approval, anybody who knows your contact e-mail can claim instead of you: a repeated signup returns the request id, and its status shows the token. A claim token works once. If somebody else has used yours, tell the operator at once. The operator sees when a first claim came from another address than the signup.`
          : `The claim token works once, for ${CLAIM_DAYS} days. If somebody else has used it, tell the operator at once. The operator sees when a first claim came from another address than the signup.`,
      ),
      refusals,
      text(
        `\`POST /v1/credential-rotations\` returns a claim token for a new secret, at most ${limits.MAX_ROTATIONS} times in ${limits.ROTATION_WINDOW_SECONDS / 3600} hours. The old secret works until the new one is claimed. If you lose the secret and have no valid token, ask the operator.`,
      ),
    ],
  }
}

const upload: Section = {
  id: 'upload',
  title: 'Upload and training',
  blocks: [
    text(
      `\`POST /v1/datasets\` takes \`multipart/form-data\`: \`seed_file\` (CSV or TSV, Parquet, Excel, SPSS SAV or ZSAV; at most ${limits.MAX_SEED_FILE_BYTES / 2 ** 20} MB) and, optionally, \`display_name\`, \`auto_clean\` (default \`true\`), \`weight_column\`, \`design\` and \`wait_seconds\` (0 to ${limits.MAX_WAIT_SECONDS}). The content determines the file type, not the file name.`,
    ),
    text(
      'If training ends within `wait_seconds`, the answer is `200` with `status` `ready` and the summaries; otherwise `202` with `dataset_id` and `job_id`. Poll the job, then `GET /v1/datasets/{dataset_id}`.',
    ),
    text(
      '`cleaning_summary` reports everything that cleaning did. It renames columns (runs of characters other than letters, digits and dots become one dot). It splits columns with several answers into one column of 0 and 1 per option. It drops columns and gives the reason (constant, identifiers, free text, mostly missing). It makes rare levels missing and counts them. A rare answer could identify the person who gave it, so none is named.',
    ),
    text(
      '`weight_column` names the column of the file that holds case weights (survey weights), as in its header. Weights are numbers of at least 0, one in every row; their scale does not matter. The model learns the weighted population: generated rows, `missing_share`, what a scenario leaves open, estimates and quality follow the weights. The column itself is not part of the model; `cleaning_summary.dropped_columns` names it as `case_weight`. Which levels are kept, and which counts are released, still depends on the number of people. Evidence and intervals count effective rows, (sum of weights)² / sum of squared weights; a file must have 50. `training_summary.weight_column` confirms the weights. The part is an extension: a service without it may refuse it or ignore it, so check the summary. If the column is missing or does not hold weights, training fails with `svc_untrainable_dataset`, and the detail says why.',
    ),
    text(
      '`design` says how the rows were drawn, as JSON: `{"strata": "region", "clusters": "psu"}`, each optional, or the replicate weights that a statistical office publishes in their place: `{"replicate_weights": {"columns": "rw*", "type": "brr"}}` with `weight_column`. The types are `brr`, `fay` (with `rho`), `jackknife` and `bootstrap`, read as R’s survey package reads combined weights; `scale` and `rscales` replace their factors. Standard errors use the design; the model is not trained on it. The columns leave the table; `cleaning_summary.dropped_columns` names them as `survey_design`. Strata and clusters may be numbers in place of names, so that no name has to leave your machine. Every row needs a value in each column, and there must be two clusters in at least one stratum. `training_summary.design` confirms the design, and `design_counts` says what its columns hold. The part is an extension, like `weight_column`.',
    ),
    text(
      '`training_summary.quality` says how good the model is. Some rows are held out, a model of the same kind is trained on others, and its generated rows are compared with the held-out rows: every column (`column_shapes`), pairs of columns (`pairs`), a classifier that tries to distinguish them (`c2st`), exact copies (`copies`), numbers that few rows of the seed have (`rare_numbers`), and whether generated rows are nearer to training rows (`dcr`). Slopes say how much of the correlations (`correlations`), of the first eigenvalue of items on one scale (`item_blocks`) and of the differences between groups (`differences`) the generated rows reproduce: other real rows have 1. `pmse` compares the result of a logistic regression with its expected result if the model were right. `membership` is an attack by an outsider who knows a whole row and wants to know whether it was a training row. The attack improves with the number of generated rows, so the figure is given for several numbers. Each figure comes with its value for real rows or for chance. `not_measured` says which figures cannot be measured on these data, and why. A large table is measured on a sample of its rows, and a model of all rows is better than a model of a sample. The figures are evidence and not a guarantee of privacy.',
    ),
    text(
      '`training_summary.derived_columns` names columns that others determine in the seed data: totals, ratios, durations, bands, a code with its label. Generated rows compute them, so the relation holds there too. A scenario that conditions such a column takes precedence: bands and codes still agree with the column that decides them, but a conditioned total is drawn like any other column and is no longer the exact sum of its parts. A computed value stays within the range seen in the seed data.',
    ),
    text(
      '`training_summary.relations` names relations between columns that do not determine each other: a start is never after an end, ranks differ from each other, a payment equals the last bill in some of the rows. A relation that holds in all rows of the seed data holds in all generated rows, whatever a scenario conditions. An equality in some of the rows holds in about the same share of generated rows.',
    ),
    text('`DELETE /v1/datasets/{dataset_id}` removes a dataset; finished generations stay until their own expiry.'),
  ],
}

const cleanedSchema: Section = {
  id: 'schema',
  title: 'The cleaned schema',
  blocks: [
    text(
      '`GET /v1/datasets/{dataset_id}/schema` lists the columns that can be conditioned on. Categorical ones have `levels`, the most frequent first; numeric ones `min` and `max`, for dates as RFC 3339 strings with a `format`. `min` and `max` are rounded outwards until at least ten rows share them, so a range may extend slightly beyond the values. `level_shares` says which share of the rows has each level, and `quantiles` where the numbers lie: read targets against them. Both are rounded, and absent or null where fewer than ten rows could be counted from them. `source_name` is the header in the file. `label` is what the file says the column means: the label of an SPSS variable or the text of a question, cut to 1 KiB; it is absent if the file says nothing. It is text of the file, so escape it where you print it.',
    ),
    text('Read it before every conditioned generation: `loyalty_member` in the file may be `loyalty.member` here.'),
  ],
}

const scenario: Section = {
  id: 'scenario',
  title: 'A scenario',
  blocks: [
    text('`POST /v1/datasets/{dataset_id}/generations` with an `Idempotency-Key`:'),
    code(
      'json',
      `
{
  "row_count": 1000,
  "output_format": "parquet",
  "seed": 7,
  "wait_seconds": 0,
  "conditions": {
    "categorical": { "region": { "North": 0.7 } },
    "numeric": { "age": { "min": 18, "max": 34 } }
  }
}`,
    ),
    list(
      '`row_count`: the requested rows, and the most that you can get.',
      `\`output_format\`: ${OUTPUT_FORMAT_NAMES.map((format) => `\`${format}\``).join(', ')}; default \`parquet\`.`,
      '`seed`: the same dataset, request and seed give the same bytes. If absent, it is drawn and shown in the record.',
      '`conditions.categorical`: target shares from 0 to 1 of all generated rows; the shares of a column add up to at most 1. The unnamed levels and missing values take the rest, in the proportions that they have given everything else that the scenario states.',
      '`conditions.means`, where the OpenAPI document of the service has it: the mean of a numeric column among the rows that have a value, as a number or as bounds. A service that protects its seeds does not take it (`svc_means_not_offered`).',
      '`conditions.bounds`, where the OpenAPI document has it: the least and the greatest share of levels (`svc_bounds_not_offered` where seeds are protected).',
      '`conditions.cells`, where the OpenAPI document has it: shares of combinations of levels of two or three columns (`svc_cells_not_offered` where seeds are protected).',
      '`conditions.numeric`: ranges with both `min` and `max`, both included. A ranged column has no missing values in the result.',
      'An unknown field or condition is refused with `400` and a suggestion: a typo must not become an unconditioned, billed generation.',
    ),
    text(
      '`ready`: all rows are present. `partial`: the scenario is valid, but model and evidence support fewer rows. These rows follow the scenario, `shortfall` says which targets bind, and `rows_generated` is the number of delivered and billed rows. `failed`: no row is possible, or an error occurred; `error` says which. `targets` compares requested and achieved shares.',
    ),
    text(
      '`shortfall.nearest_mix`, where it is known, has the nearest conditions that have all rows: its members take the place of those that the request has for the same columns. Nothing nearer is possible, but for the rounding of its shares; ranges stay as they are.',
    ),
  ],
}

const polling: Section = {
  id: 'polling',
  title: 'Polling',
  blocks: [
    text(
      `\`GET /v1/jobs/{job_id}\` until \`status\` is ${TERMINAL_JOB_STATUSES.map((status) => `\`${status}\``).join(', ')}. On \`completed\`, \`dataset_id\` or \`generation_id\` is there. Then \`GET /v1/generations/{generation_id}\` until \`status\` is \`ready\` or \`partial\` and \`artifact_url\` is present; stop on \`failed\`.`,
    ),
    text(
      'For a first try, poll every two seconds. In production use exponential backoff with jitter and a deadline. `wait_seconds` on the POST saves polling for short work. `Prefer: wait=10` on `GET /v1/jobs/{job_id}` delays the reply until the job has ended, for at most ten seconds.',
    ),
  ],
}

const download: Section = {
  id: 'download',
  title: 'Download',
  blocks: [
    text(
      `\`artifact_url\` is relative to the service's address, or absolute if the operator uses object storage (it then begins with \`http\`). Use it unchanged. Send the bearer token with a relative address, never with an absolute one. The address is valid for ${limits.ARTIFACT_URL_LIFETIME_SECONDS / 60} minutes; GET the generation again for a fresh one.`,
    ),
    text('Single byte ranges and `If-None-Match` work; `artifact` in the record gives size and SHA-256.'),
    text(
      'CSV cells are not escaped: a cell that begins with `=` comes unchanged from your seed file. Check foreign data before you open it in a spreadsheet.',
    ),
  ],
}

const estimates: Section = {
  id: 'estimates',
  title: 'How sure a difference is',
  blocks: [
    text(
      '`POST /v1/datasets/{dataset_id}/estimates` is an extension of this service. It weights the rows of your seed data to a scenario and to a baseline, without the model, and answers at once. It creates nothing, bills nothing and needs no `Idempotency-Key`:',
    ),
    code(
      'json',
      `
{
  "scenario": { "categorical": { "region": { "North": 0.7 } } },
  "baseline": {},
  "outcomes": [{ "column": "loyalty.member" }, { "column": "age", "statistic": "mean" }]
}`,
    ),
    text(
      'Each outcome has its value on both sides, the `difference` and its `standard_error` for inference from the seed data to their population: the shares of the levels of a categorical column, the mean of a numeric one. Generated rows cannot show how certain a difference is: with more of them it only looks more certain.',
    ),
    text(
      'A side has `status` `too_few_rows` if too few rows support it, or if its shares need combinations that too few rows have: fewer than 10, and up to about 25 where a range or a left-out level may single out one person. No outcome then has numbers. A level that too few rows have has no numbers either. All other numbers have noise that hides any single row. The same question always has the same noise, and `standard_error` includes it. `effective_rows` has noise too, and is rounded down. This protects single people from a few questions and is not a formal guarantee.',
    ),
    text(
      'With `"by": "region"` the reply also has `segments`: the same inside each level of that column, from the same weights. A segment has `status` `too_few_rows` under the same rules, and `excluded` if a side gives its level a share of 0. Other services may refuse the field or ignore it.',
    ),
    text(
      'With `{ "column": "age", "statistic": "quantiles", "quantiles": [0.5, 0.9] }` among the outcomes the reply has `quantiles`, with standard errors after Woodruff. A service that protects its seeds answers `svc_quantiles_not_offered`, because a quantile is the value of some row.',
    ),
    text(
      'With `"where": { "categorical": { "region": ["North", "South"] }, "numeric": { "age": { "min": 18 } } }` the outcomes are counted in these rows alone, on both sides; the scenarios stay what they are. The reply repeats `where`. Other services may refuse the field or ignore it: a reply that does not repeat it is about all rows.',
    ),
    text(
      'With `"further": [{ "scenario": {…}, "baseline": {…} }]` the reply also has `further`: the differences of other scenarios in the same outcomes, each as if it had a request of its own. Each counts as a question. Other services may refuse the field or ignore it.',
    ),
    text(
      'With `"rows": 10000` the reply also has `feasible_rows`: how many of these rows a generation of the scenario would have, and a `shortfall` as in its record if they are fewer, with the nearest mix. So you know it before you order.',
    ),
  ],
}

const errors: Section = {
  id: 'errors',
  title: 'Errors',
  blocks: [
    text(
      'Errors are problem records (RFC 9457, `application/problem+json`): `type`, `title`, `status`, `detail`, `request_id`, and usually a stable `code`. `type` is the address of the code’s page. A `400` lists all faults in `errors`, with the likely spelling in `suggestion`. For an unknown column or level it has `schema_hint`.',
    ),
    text(
      `Repeat ${RETRYABLE_STATUSES.map((status) => `\`${status}\``).join(', ')} with backoff, after \`Retry-After\` where it is given, and a POST only with the same \`Idempotency-Key\`. Do not repeat \`400\`, \`401\`, \`402\`, \`403\`, \`404\` without changing the request.`,
    ),
    table(
      ['Code', 'Status', 'Cause'],
      Object.entries(ERROR_CATALOGUE).map(([name, { status, cause }]) => [
        `[\`${name}\`](/errors/${name})`,
        status === null ? 'in a job' : String(status),
        cause,
      ]),
    ),
  ],
}

const idempotency: Section = {
  id: 'idempotency',
  title: 'Idempotency',
  blocks: [
    text(
      `\`Idempotency-Key\` is a string of your choice in the form \`${IDEMPOTENCY_KEY_PATTERN.source}\`, one for each piece of work. A repeat with the same key and the same content creates nothing new: it returns the same identifiers in their current state, and \`Idempotent-Replayed: true\`. Form does not count (sequence of keys, file name, \`wait_seconds\`); the content of the file does.`,
    ),
    text(
      'The same key with different content is a `409`. A repeat while the first request is still being received is a `409` with `Retry-After`. A refused request does not use up its key. A key lasts as long as the resource that it created.',
    ),
  ],
}

const versioning: Section = {
  id: 'versioning',
  title: 'Versioning',
  blocks: [
    text(
      `The contract is version \`${CONTRACT_VERSION}\` and lives under \`/v1/\`. Optional fields, enumerated values, endpoints and codes may be added at any time: ignore unknown ones. Breaking changes get at least 30 days' notice or arrive under \`/v2\`; security fixes may move faster. Error codes are part of the contract.`,
    ),
  ],
}

const documents: Section = {
  id: 'documents',
  title: 'Documents',
  blocks: [
    list(
      '[Reference](/__docs__/): every operation, to try in the browser.',
      '[OpenAPI document](/openapi.json): the contract, for client generators.',
      '[Error catalogue](/errors): cause and fix of every code.',
      '[All in one text](/llms-full.txt), and [a short one](/llms.txt), for programs.',
      '[Health](/healthz): whether the service can work.',
    ),
  ],
}
