import { isSameModel } from '../../answers/comparisons/comparisons.ts'
import type { SeedEstimates } from '../../answers/comparisons/differences.ts'
import { type KnownSchema, lacksColumn, schemaHasLevel } from '../../answers/counts/known-names.ts'
import { hasRows } from '../../answers/manifest/scenario-statuses.ts'
import { type CanonicalValue, canonicalJson } from '../../base/canonical-json.ts'
import { sha256Hex } from '../../base/sha256.ts'
import type { EstimateRequest } from '../../contract/estimates.ts'
import type { NoEstimates } from '../../records/manifest/comparisons.ts'
import type { EstimateRecord, RecordedEstimates } from '../../records/state/estimates.ts'
import type { GenerationRecord } from '../../records/state/generations.ts'
import { canonicalBody } from '../../study/hashing/canonical-body.ts'
import { OUTCOME_KIND_NAMES, type Outcome, outcomesOf as outcomesOfKind } from '../../study/outcomes/outcome.ts'
import { askedRows } from '../../study/outcomes/row-filter.ts'
import { percentageBase } from '../../study/percentage-base.ts'
import { membersOf } from '../../study/replicates.ts'
import { scenarioFamily } from '../../study/scenario-family.ts'
import type { Comparison, Study } from '../../study/study.ts'
import type { KnownStudy } from './known-study.ts'
import { mergedSegments, type OutcomePart, partOf, partsOf, withQuantiles } from './outcome-parts.ts'

/** The question about a scenario of a comparison. Equal keys have equal answers. */
export interface EstimateQuestion {
  readonly key: string
  /** For messages. */
  readonly comparison: string
  readonly scenario: EstimateRequest['scenario']
  readonly against: EstimateRequest['scenario']
  readonly outcomes: EstimateRequest['outcomes']
  /** Absent: the differences among all rows. */
  readonly by?: string
  /** Absent: all rows. */
  readonly where?: EstimateRequest['where']
  /** The other scenarios of its family (scenario-family.ts); only with the first one. */
  readonly together?: readonly EstimateRequest['scenario'][] | undefined
  /** Further differences in the same outcomes, which a service need not know. */
  readonly further?: EstimateRequest['further']
  /** Trained datasets of one model; the first that still exists can answer. */
  readonly datasetIds: readonly string[]
  /** Null when the service does not report it. */
  readonly modelId: string | null
}

/**
 * The questions about the seed that a study's comparisons need: one per scenario with rows on both sides, and another
 * one for its segments, which a service may refuse.
 */
export function questionsOf(known: KnownStudy): Map<string, EstimateQuestion> {
  const questions = new Map<string, EstimateQuestion>()
  for (const comparison of known.study.comparisons) {
    for (const scenario of comparison.scenarios) {
      if (!asksAbout(known, scenario)) continue
      for (const asked of askedOf(comparison)) {
        const question = questionAbout(known, comparison, scenario, asked)
        if (typeof question !== 'string' && !questions.has(question.key)) questions.set(question.key, question)
      }
    }
  }
  return questions
}

/** The seed's own differences for a scenario of a comparison, or why there are none. */
export function knownEstimates(
  known: KnownStudy,
  comparison: Comparison,
  scenario: string,
): SeedEstimates | NoEstimates {
  const answered = (part: OutcomePart): RecordedEstimates | NoEstimates => {
    const answer = answerTo(known, questionAbout(known, comparison, scenario, { by: null, part }))
    return typeof answer === 'string' ? answer : answer.estimates
  }
  const parts = partsOf(comparison)
  return withQuantiles(
    parts.includes('figures') ? answered('figures') : null,
    parts.includes('quantiles') ? answered('quantiles') : null,
  )
}

/** The same inside each level of the comparison's column. */
export function knownSegments(
  known: KnownStudy,
  comparison: Comparison,
  scenario: string,
): ReadonlyMap<string, SeedEstimates> | NoEstimates {
  const answered = (part: OutcomePart): ReadonlyMap<string, RecordedEstimates> | NoEstimates => {
    const answer = answerTo(known, questionAbout(known, comparison, scenario, { by: comparison.by, part }))
    return typeof answer === 'string' ? answer : new Map(answer.segments)
  }
  const parts = partsOf(comparison)
  return mergedSegments(
    parts.includes('figures') ? answered('figures') : null,
    parts.includes('quantiles') ? answered('quantiles') : null,
  )
}

function answerTo(
  { answers, unanswered }: KnownStudy,
  question: EstimateQuestion | NoQuestion,
): KnownEstimates | NoEstimates {
  if (typeof question === 'string') return question
  const record = answers.get(question.key)
  if (record === undefined) return unanswered.has(question.key) ? 'estimates_failed' : 'estimates_not_asked'
  return record.status === 'known' ? record : record.status
}

type KnownEstimates = Extract<EstimateRecord, { readonly status: 'known' }>

/** Why nothing is asked: rows of different models have no common seed, or the data have nothing of what is compared. */
type NoQuestion = Extract<NoEstimates, 'estimates_other_model' | 'estimates_not_asked'>

interface AskedPart {
  /** Null: about all rows. */
  readonly by: string | null
  readonly part: OutcomePart
}

const askedOf = (comparison: Comparison): AskedPart[] =>
  partsOf(comparison).flatMap((part) =>
    (comparison.by === null ? [null] : [null, comparison.by]).map((by) => ({ by, part })),
  )

function questionAbout(
  known: KnownStudy,
  comparison: Comparison,
  scenario: string,
  { by, part }: AskedPart,
): EstimateQuestion | NoQuestion {
  const [side, against] = [scenario, comparison.against].map((name) => sideOf(known, name))
  if (!side || !against) return 'estimates_other_model'
  const [first, ...others] = by === null ? scenarioFamily(known.study, comparison, scenario) : []
  const isFamily = (other: AskedSide) => isSameModel(modelOf(side), modelOf(other))
  const together = first === scenario ? others.flatMap((name) => sideOf(known, name) ?? []).filter(isFamily) : []
  const schema = (side.datasetId !== null && known.schemas.get(side.datasetId)) || null
  // A service refuses a request that names what the dataset does not have, and all other outcomes with it.
  if (by !== null && lacksColumn(schema, by, 'segments')) return 'estimates_not_asked'
  const outcomes = outcomesOf(known.study, comparison, schema, part)
  if (outcomes.length === 0 || lacksRows(schema, comparison)) return 'estimates_not_asked'
  return questionOf({ comparison, scenario: side, against, by, together, outcomes })
}

/** What a question takes of the work of a scenario. */
type AskedSide = Pick<GenerationRecord, 'body' | 'datasetId' | 'model'>

/** Replicates have the same conditions, so the first one with rows stands for all. */
function sideOf(known: KnownStudy, name: string): AskedSide | null {
  const members = membersOf(known.study, name)
  for (const id of members) {
    const { status, record } = known.standings.get(id)!
    if (hasRows(status) && record?.artifact) return record
  }
  return known.study.shard === undefined ? null : plannedSide(known, members[0] ?? name)
}

/**
 * The side of a scenario whose rows another part of the study has: its conditions are known, and its model is that of the dataset.
 * `whatif merge`, which has the rows of both, asks the same question.
 */
function plannedSide({ scenarios, planned, datasets }: KnownStudy, id: string): AskedSide | null {
  const scenario = scenarios.get(id)
  const dataset = scenario && datasets.get(scenario.dataset)
  if (scenario === undefined || dataset === undefined || dataset.datasetId === null) return null
  const body = planned.get(id)?.body ?? canonicalBody({ ...scenario, seed: 0 })
  return { body, datasetId: dataset.datasetId, model: dataset.model ?? null }
}

/** Each question of a study belongs to one of its parts: that of the scenario which is held against another. */
function asksAbout({ study, planned }: KnownStudy, name: string): boolean {
  if (study.shard === undefined) return true
  return planned.get(membersOf(study, name)[0] ?? name)?.selected === true
}

function questionOf({
  comparison,
  scenario,
  against,
  by,
  together,
  outcomes,
}: {
  readonly comparison: Comparison
  readonly scenario: AskedSide
  readonly against: AskedSide
  readonly by: string | null
  readonly together: readonly AskedSide[]
  readonly outcomes: EstimateRequest['outcomes']
}): EstimateQuestion | NoQuestion {
  if (!isSameModel(modelOf(scenario), modelOf(against))) return 'estimates_other_model'
  const modelId = scenario.model?.id ?? against.model?.id ?? null
  const asked = {
    scenario: conditionsOf(scenario),
    against: conditionsOf(against),
    outcomes,
    // Left out when absent, so that answers from before this field keep their keys.
    ...(by === null ? {} : { by }),
    ...filteredBy(comparison),
    ...(together.length > 0 && { together: together.map(conditionsOf) }),
  }
  const key = questionKey(modelId ?? scenario.datasetId, asked)
  const datasetIds = [...new Set([scenario.datasetId, against.datasetId])]
  return { key, comparison: comparison.id, ...asked, datasetIds, modelId }
}

/** @param model its id, or that of the dataset where the service does not tell it. */
export const questionKey = (model: string, asked: object): string =>
  sha256Hex(canonicalJson({ v: 2, kind: 'estimates', model, ...(asked as { [key: string]: CanonicalValue }) }))

/** The rows of a comparison, as they are asked for; nothing where all rows count. */
export function filteredBy({ where }: Comparison): Pick<EstimateQuestion, 'where'> {
  const asked = askedRows(where)
  return asked === undefined ? {} : { where: asked as EstimateRequest['where'] }
}

/** Whether the data do not have a column or level under `where` of a comparison. */
export const lacksRows = (schema: KnownSchema, { where }: Comparison): boolean =>
  where.some(
    (filter) =>
      lacksColumn(schema, filter.column, 'where') ||
      (filter.kind === 'levels' &&
        filter.levels.some(({ value }) => schemaHasLevel(schema, filter.column, value) === false)),
  )

/** Every column of the comparison that the data have, once for its shares or for its mean; or its quantiles. */
export function outcomesOf(
  study: Study,
  comparison: Comparison,
  schema: KnownSchema,
  part: OutcomePart,
): EstimateRequest['outcomes'] {
  const asked = (outcome: Outcome): EstimateRequest['outcomes'][number] => {
    const { column } = outcome
    switch (outcome.kind) {
      case 'shares': {
        const isOfValid = percentageBase(study, comparison, column) === 'valid'
        return { column, statistic: 'shares', ...(isOfValid && { base: 'valid' as const }) }
      }
      case 'means':
        return { column, statistic: 'mean' }
      case 'quantiles':
        return { column, statistic: 'quantiles', quantiles: [...outcome.shares] }
    }
  }
  return OUTCOME_KIND_NAMES.filter((kind) => partOf(kind) === part).flatMap((kind) => {
    const own = new Map(outcomesOfKind(comparison, kind).map((outcome) => [outcome.column, outcome] as const))
    return [...own.values()].filter(({ column }) => !lacksColumn(schema, column, kind)).map(asked)
  })
}

const modelOf = ({ datasetId, model }: AskedSide) => ({ datasetId, modelId: model?.id ?? null })

/** The conditions that the rows were generated with. */
const conditionsOf = ({ body }: AskedSide): EstimateRequest['scenario'] =>
  (JSON.parse(body) as { conditions?: EstimateRequest['scenario'] }).conditions ?? {}
