import { z } from 'zod'

/**
 * Figures of synthetic rows compared with held-out rows, with the level that chance alone gives: training rows compared
 * with held-out rows.
 */
const Similarity = { mean: z.number(), reference: z.number() }

const chance = z.number().describe('Chance alone stays within 0.5 plus or minus this in 95 of 100 cases.')

/** The interval that holds a figure's true value in 95 of 100 cases. */
const interval = {
  low: z.number().describe('Lower end of the 95 % interval.'),
  high: z.number().describe('Upper end of the 95 % interval.'),
}

const slope = z.number().describe('1 for other real rows; below 1 if the model weakens the relation.')

/** How good a dataset's model is (an extension of this service). Similarities and shares lie between 0 and 1. */
export const TrainingQuality = z
  .object({
    training_rows: z.int().describe('Rows of the seed that the measured model was trained on.'),
    held_out_rows: z.int().describe('Other rows of the seed, with which the generated rows were compared.'),
    synthetic_rows: z.int().describe('Rows that the model generated for the measurement.'),
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
          .describe(
            'The smallest area that a test at 5 % on this many rows distinguishes from 0.5 in 80 of 100 cases.',
          ),
        rows: z.int().describe('Of either kind.'),
      })
      .optional()
      .describe(
        'Area under the ROC curve of a classifier that distinguishes synthetic from held-out rows: 0.5 if it cannot, 1 if it always can.',
      ),
    copies: z
      .object({ share: z.number(), reference: z.number().describe('The same of the held-out rows.') })
      .optional()
      .describe('Share of synthetic rows that equal a training row in every column.'),
    rare_numbers: z
      .object({
        columns: z.int().describe('Columns of at most 256 numbers, which at least two rows have on average.'),
        rows: z.int().optional().describe('Synthetic rows; absent: fewer than 10.'),
        reference: z.int().optional().describe('The same of the training rows.'),
      })
      .optional()
      .describe(
        'Rows that carry, in one of these columns, exactly a number that fewer than 10 rows of the seed have. A service that protects the ' +
          'rows of the seed rounds both counts to two digits.',
      ),
    dcr: z
      .object({
        nearer_training: z.number(),
        chance,
        of_copies: z.number().describe('The figure for exact copies of training rows.'),
        rows: z.int().describe('Of either kind.'),
      })
      .optional()
      .describe(
        'Distance to closest record: share of synthetic rows nearer to a training row than to any of as many held-out rows. ' +
          '0.5 if the model remembers nothing of single rows.',
      ),
    correlations: z
      .object({ slope, ...interval, pairs: z.int().describe('Pairs of columns with an order.') })
      .optional()
      .describe(
        "Slope of the synthetic rows' rank correlations on the rank correlations of real rows, free of the noise of either: 0.6 means that they are " +
          '0.6 times as strong. Numbers and levels coded as whole numbers have an order.',
      ),
    item_blocks: z
      .array(
        z.object({
          column: z.string().describe('The first item.'),
          last: z.string().describe('The last item.'),
          items: z.int(),
          eigenvalue: z.number().describe("First eigenvalue of the items' correlations, synthetic rows."),
          reference: z.number().describe('The same for training rows.'),
          ratio: z.number().describe('Ratio of the two eigenvalues; 1 for other real rows.'),
          ...interval,
        }),
      )
      .optional()
      .describe(
        'Blocks of at least four columns on one scale, such as the items of a questionnaire: how much of their first eigenvalue the ' +
          'synthetic rows have. The held-out rows give the eigenvector.',
      ),
    differences: z
      .object({
        slope,
        ...interval,
        outcomes: z.int().describe('Columns whose differences are large enough to be measured one by one.'),
        median: z
          .object({ slope, ...interval })
          .optional()
          .describe('Slope over those columns.'),
        lowest: z.array(z.object({ column: z.string(), slope, ...interval })).describe('The columns that lose most.'),
      })
      .optional()
      .describe(
        "Slope of the synthetic rows' differences between groups on the differences of real rows: of each column's shares or mean, between " +
          'rows with a level of another column and rows without it.',
      ),
    pmse: z
      .object({
        value: z.number(),
        expected: z.number().describe('The mean of `value` if the model were right: (k - 1) (1 - c)² c / N.'),
        ratio: z.number().describe('value / expected: about 1 if the model is right, larger if not.'),
        standardized: z.number().describe('(value - expected) / its standard deviation if the model were right.'),
        parameters: z.int().describe('k, the constant included.'),
      })
      .optional()
      .describe(
        'Propensity score mean squared error of a logistic regression on columns and products of columns, synthetic rows against ' +
          'training rows (Snoke and others 2018).',
      ),
    membership: z
      .object({
        queries: z.int().describe('Rows of each kind on which the attack was tried.'),
        model_rows: z.int().optional().describe("Training rows of the dataset's own model."),
        at: z.array(
          z.object({
            rows_per_row: z.number().describe('Synthetic rows per training row.'),
            auc: z.number(),
            chance,
            told: z
              .number()
              .describe(
                'Share of the training rows that the attack recognizes if it mistakes 5 % of the other rows for training rows; 0.05 by chance.',
              ),
            told_chance: z.number().describe('Chance alone stays within 0.05 plus or minus this in 95 of 100 cases.'),
          }),
        ),
      })
      .optional()
      .describe(
        'Membership risk: area under the ROC curve of an attack that distinguishes training rows from held-out rows by their distance to ' +
          'the nearest synthetic row; 0.5 if it cannot. It grows with the number of synthetic rows.',
      ),
    not_measured: z
      .array(z.object({ figure: z.string(), reason: z.string() }))
      .optional()
      .describe('Figures that cannot be measured on these data, and why.'),
  })
  .meta({ id: 'TrainingQuality' })
export type TrainingQuality = z.infer<typeof TrainingQuality>
