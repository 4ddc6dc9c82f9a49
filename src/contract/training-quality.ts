import { z } from 'zod'

/** Of synthetic rows to held-out ones, and the floor that chance sets: of rows trained on to held-out ones. */
const Similarity = { mean: z.number(), reference: z.number() }

const chance = z.number().describe('0.5 plus or minus this is what chance alone does in 95 of 100 cases.')

/** The interval that holds a figure's true value in 95 of 100 cases. */
const interval = {
  low: z.number().describe('Lower end of the 95 % interval.'),
  high: z.number().describe('Upper end of the 95 % interval.'),
}

const slope = z.number().describe('1 for other real rows; below 1 where the model weakens what is there.')

/** How good a dataset's model is (this service's own). Similarities and shares lie in 0 to 1. */
export const TrainingQuality = z
  .object({
    training_rows: z.int().describe('Rows of the seed that the measured model was trained on.'),
    held_out_rows: z.int().describe('Other rows of the seed, that its rows were compared with.'),
    synthetic_rows: z.int().describe('Rows that it generated for this.'),
    column_shapes: z
      .object({
        ...Similarity,
        worst: z.array(z.object({ column: z.string(), score: z.number(), reference: z.number() })),
      })
      .optional()
      .describe(
        '1 - total variation distance (levels), 1 - Kolmogorov-Smirnov statistic (numbers): mean over the columns, and those ' +
          'farthest below their reference.',
      ),
    pairs: z
      .object({ ...Similarity, measured: z.int().describe('Pairs of columns that were measured.') })
      .optional()
      .describe('1 - total variation distance of the two-way tables, numbers in deciles: mean over the pairs.'),
    c2st: z
      .object({
        auc: z.number(),
        chance,
        detectable: z
          .number()
          .optional()
          .describe('The smallest area that this many rows would tell from 0.5 in 80 of 100 cases, in a test at 5 %.'),
        rows: z.int().describe('Of either kind.'),
      })
      .optional()
      .describe(
        'Area under the ROC curve of a classifier that tells synthetic from held-out rows: 0.5 when it cannot, 1 when it always can.',
      ),
    copies: z
      .object({ share: z.number(), reference: z.number().describe('The same of the held-out rows.') })
      .optional()
      .describe('Share of synthetic rows that equal a row trained on in every column.'),
    dcr: z
      .object({
        nearer_training: z.number(),
        chance,
        of_copies: z.number().describe('What exact copies of rows trained on would give.'),
        rows: z.int().describe('Of either kind.'),
      })
      .optional()
      .describe(
        'Distance to closest record: share of synthetic rows nearer to a row trained on than to any of as many held-out rows. ' +
          '0.5 when the model remembers nothing of single rows.',
      ),
    correlations: z
      .object({ slope, ...interval, pairs: z.int().describe('Pairs of columns with an order.') })
      .optional()
      .describe(
        "Slope of the synthetic rows' rank correlations on those of real rows, free of the noise of either: 0.6 means that they are " +
          '0.6 times as strong. Numbers and levels coded as whole numbers have an order.',
      ),
    item_blocks: z
      .array(
        z.object({
          column: z.string().describe('The first item.'),
          last: z.string().describe('The last item.'),
          items: z.int(),
          eigenvalue: z.number().describe("First eigenvalue of the items' correlations, synthetic rows."),
          reference: z.number().describe('The same of rows trained on.'),
          ratio: z.number().describe('Of the two; 1 for other real rows.'),
          ...interval,
        }),
      )
      .optional()
      .describe(
        'Blocks of at least four columns on one scale, such as the items of a questionnaire: how much of their first eigenvalue the ' +
          'synthetic rows have. The eigenvector is that of the held-out rows.',
      ),
    differences: z
      .object({
        slope,
        ...interval,
        outcomes: z.int().describe('Columns whose differences are large enough to be measured one by one.'),
        median: z
          .object({ slope, ...interval })
          .optional()
          .describe('Over those columns.'),
        lowest: z.array(z.object({ column: z.string(), slope, ...interval })).describe('Those that lose most.'),
      })
      .optional()
      .describe(
        "Slope of the synthetic rows' differences between groups on those of real rows: of each column's shares or mean, between " +
          'rows with a level of another column and rows without it.',
      ),
    pmse: z
      .object({
        value: z.number(),
        expected: z.number().describe('Its mean if the model were right: (k - 1) (1 - c)² c / N.'),
        ratio: z.number().describe('value / expected: about 1 if the model is right, larger if not.'),
        standardized: z.number().describe('(value - expected) / its standard deviation if the model were right.'),
        parameters: z.int().describe('k, the constant included.'),
      })
      .optional()
      .describe(
        'Propensity score mean squared error of a logistic regression on columns and products of columns, synthetic rows against ' +
          'those trained on (Snoke and others 2018).',
      ),
    membership: z
      .object({
        queries: z.int().describe('Rows of either kind that the attack was tried on.'),
        model_rows: z.int().optional().describe("Rows that the dataset's own model was trained on."),
        at: z.array(
          z.object({
            rows_per_row: z.number().describe('Synthetic rows per row trained on.'),
            auc: z.number(),
            chance,
            told: z
              .number()
              .describe(
                'Share of the rows trained on that the attack recognizes where it takes 5 % of the others for them; 0.05 by chance.',
              ),
            told_chance: z.number().describe('0.05 plus or minus this is what chance alone does in 95 of 100 cases.'),
          }),
        ),
      })
      .optional()
      .describe(
        'Membership risk: area under the ROC curve of an attack that tells rows trained on from held-out ones by their distance to ' +
          'the nearest synthetic row, 0.5 when it cannot. It grows with the number of synthetic rows.',
      ),
    not_measured: z
      .array(z.object({ figure: z.string(), reason: z.string() }))
      .optional()
      .describe('Figures that these data do not give, and why.'),
  })
  .meta({ id: 'TrainingQuality' })
export type TrainingQuality = z.infer<typeof TrainingQuality>
