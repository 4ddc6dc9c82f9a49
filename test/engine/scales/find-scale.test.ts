import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findScale } from '../../../src/engine/scales/find-scale.ts'

/** Levels in their order, those off the scale after "||"; then the source of the order. */
function shown(levels: readonly string[], integer = false): string {
  const scale = findScale(levels, integer)
  if (scale === null) return 'no order'
  const at = [...levels.keys()]
  const placed = at.filter((i) => !Number.isNaN(scale.values[i]))
  placed.sort((a, b) => scale.values[a]! - scale.values[b]!)
  const apart = at
    .filter((i) => Number.isNaN(scale.values[i]))
    .map((i) => levels[i])
    .sort()
  const order = placed.map((i) => levels[i]).join(' < ')
  return `${scale.source}: ${order}${apart.length === 0 ? '' : ` || ${apart.join(', ')}`}`
}

/** The levels of a line, away from their order. */
function mixed(line: string): string[] {
  const [order = '', apart] = line.split(' || ')
  const levels = [...(apart?.split(', ') ?? []), ...order.split(' < ')]
  return [...levels.filter((_, i) => i % 2 === 1), ...levels.filter((_, i) => i % 2 === 0)]
}

describe('levels that are whole numbers', () => {
  it('are ordered as numbers, not as texts', () => {
    expect(findScale(['10', '9', '1', '2'], true)).toEqual({ source: 'codes', values: Float64Array.of(10, 9, 1, 2) })
  })

  it.each([
    { levels: ['1', '2', '3', '4', '5', '9'], apart: '9' },
    { levels: ['1', '2', '3', '4', '98'], apart: '98' },
    { levels: ['0', '1', '2', '3', '-1'], apart: '-1' },
  ])('have an order without the code $apart, which is apart from $levels', ({ levels, apart }) => {
    expect(findScale(levels, true)?.values).toEqual(
      Float64Array.from(levels, (level) => (level === apart ? Number.NaN : Number(level))),
    )
  })

  it.each([[['0', '1']], [['1', '2', '9']], [['1']], [[]]])(
    'have no order if there are fewer than three: %j',
    (levels) => {
      expect(findScale(levels, true)).toBeNull()
    },
  )
})

describe('levels that express amounts', () => {
  it.each([
    '<18 years old < 18-24 years old < 25-34 years old < >65 years old',
    'Less than 1 < 1 < 2 < 3 < 4 < More than 4 || NA',
    '<$20 < $20-$40 < $40-$60 < >$100',
    'Less than $20 < $20-$50 < $50-$100 < $500-$1000 < More than $1,000',
    'None < 1 < 2 < 3 < More than 3',
    'No children < 1 child < 2 children < 3 or more children',
    'RURAL AREAS < URBAN BELOW 20,000 < URBAN 20,000-100,000 < URBAN 500,000 AND OVER',
    'Nov 2022 < Februar 2023 < März 2024',
    '2022-11 < 2023-02 < 2023-10',
    '11/2022 < 2/2023 < 01/2024',
    '$0 - $24,999 < $25,000 - $49,999 < $50,000 - $99,999 < 150000',
    '$0 to $9,999 < $10,000 to $24,999 < $200,000 and up || -, Prefer not to answer',
    '24 anys o menys < De 25 a 34 anys < De 35 a 49 anys < 65 anys o més',
    'Inferiors a 1.000€ < Entre 1.001€ i 2.000€ < Més de 5.000€ || No ho sap',
    'Menor o igual a 2.000 < De 2.001 a 10.000 < De 150.001 a 1.000.000 < Més de 1.000.000',
    'menos de 1.000 € < 1.000 - 1.500 € < más de 1.500 €',
    'unter 18 < 18 bis 29 Jahre < 50 Jahre und älter',
    'moins de 18 ans < de 18 à 24 ans < 25 ans et plus',
    'meno di 10 < da 10 a 20 < oltre 20',
    'do 18 lat < 18-24 lata < 25 lat i więcej',
    'jonger dan 18 < 18 tot 65 jaar < 65 jaar en ouder',
    'menos de 5 anos < de 5 a 10 anos < mais de 10 anos',
    'Month-to-month < One year < Two year',
    'Less than 6 months < 6 months to 1 year < 1-3 years < More than 3 years',
    'Less than a year < 1-2 years < 3-5 years < over 5 years',
    'Once a month < Once a week < Twice a week',
    'under 18 < 18-64 < 65+',
    '<10k < 10k-20k < 20-50k < 50k+',
    '0,5 < 1,0 < 2,5',
    '-10 to -5 < -5 to 0 < 0 to 5',
    '1 000 - 2 000 < 2 000 - 5 000 < > 5 000',
    '10 to under 20 < 20 to under 30 < 30 and over',
    'Level 1 < Level 2 < Level 3',
    '1 < 2 < 3 || 98',
  ])('have the order of their numbers: %s', (line) => {
    expect(shown(mixed(line))).toBe(`numbers: ${line}`)
  })

  it('have the middle of their band as value, or a value beyond its open end', () => {
    expect(findScale(['<20', '20-40', '40-60', '>60'], false)?.values).toEqual(Float64Array.of(10, 30, 50, 70))
    expect(findScale(['None', '1', '2', 'More than 2'], false)?.values).toEqual(Float64Array.of(0, 1, 2, 3))
  })

  it('have thousands separators that are read alike in the whole column', () => {
    expect(findScale(['<500', '500-1.000', '>1.000'], false)?.values).toEqual(Float64Array.of(250, 750, 1250))
    expect(findScale(['0.500', '1.000', '2.500'], false)?.values).toEqual(Float64Array.of(0.5, 1, 2.5))
  })

  it.each([
    ['bands that overlap', ['0-5', '5-10', '3-7']],
    ['bounds that cover each other', ['Less than 18', '18+', 'Less than 25']],
    ['a number within an open band', ['3', '4', '4+']],
    ['names with numbers', ['Product 1', 'Product 2', 'Product 3']],
    ['rooms with numbers', ['Room 1', 'Room 2', 'Room 3']],
    ['codes with leading zeros', ['08001', '08002', '08003']],
    ['versions', ['1.2.3', '1.2.4', '1.2.5']],
    ['times of the day', ['10:30', '11:30', '12:30']],
    ['feet and inches', [`5'4"`, `5'5"`, `5'6"`]],
    ['units of other sizes', ['500 m', '1 km', '2 km']],
    ['two bands only', ['<=50K', '>50K']],
    ['a level without a number', ['1', '2', 'It depends on the day', '3']],
  ])('have no order in case of doubt: %s', (_, levels) => {
    expect(shown(levels)).toBe('no order')
  })
})

describe('levels that are words of a known scale', () => {
  it.each([
    // The surveys of ../shared/data.
    'TERRIBLE < UNHAPPY < MOSTLY DISSATISFIED < MIXED < MOSTLY SATISFIED < PLEASED < DELIGHTED',
    'PRIMARY/NO EDUCATION < VOCATIONAL/GRAMMAR < SECONDARY < POST-SECONDARY OR HIGHER',
    'Preschool < 1st-4th < 5th-6th < 7th-8th < 9th < 12th < HS-grad < Some-college < Assoc-voc < Assoc-acdm < Bachelors < Masters < Prof-school < Doctorate',
    `Less than high school < High school graduate < Some college or associate's degree < Bachelor's degree < Master's degree < Doctorate or professional degree`,
    'Weak < Somewhat light < Medium < Somewhat strong < Very strong',
    'Never < Once a year or less < Once a month or less < A few times per month < A few times per week < Every day',
    'Never < Once in a while < About half the time < Usually < Always',
    'No, not rude at all < Yes, somewhat rude < Yes, very rude',
    'Rare < Medium rare < Medium < Medium Well < Well',
    'Very unlikely < Somewhat unlikely < Somewhat likely < Very likely || -',
    'Molt dolenta < Dolenta < Ni bona ni dolenta < Bona < Molt bona || No ho sap',
    'Gens < Poc < Bastant < Molt || NS/NC',
    'Extrema esquerra < Esquerra < Centre-esquerra < Centre < Centre-dreta < Dreta < Extrema dreta',
    'Mai < Quasi mai < Alguna vegada < Sovint < Sempre',
    'No, mai < Sí, algun cop a l’any < Sí, algun cop al mes < Sí, un cop per setmana o més',
    'Classe baixa < Classe mitjana-baixa < Classe mitjana < Classe mitjana-alta < Classe alta',
    // Questionnaires in wide use.
    'Never < Rarely < Sometimes < Often < Always',
    'Strongly disagree < Disagree < Neither agree nor disagree < Agree < Strongly agree',
    'Completely disagree < Tend to disagree < Neither < Tend to agree < Completely agree',
    'Very dissatisfied < Dissatisfied < Neutral < Satisfied < Very satisfied',
    'Poor < Fair < Good < Very good < Excellent',
    'Not at all < Several days < More than half the days < Nearly every day',
    'None of the time < A little of the time < Some of the time < A good bit of the time < Most of the time < All of the time',
    'Never < Monthly or less < 2-4 times a month < 2-3 times a week < 4 or more times a week',
    'Never < Less than monthly < Monthly < Weekly < Daily or almost daily',
    'Very slightly or not at all < A little < Moderately < Quite a bit < Extremely',
    'None at all < A little < A moderate amount < A lot < A great deal',
    'Not at all < Slightly < Moderately < Very < Extremely',
    'Definitely would not < Probably would not < Might or might not < Probably would < Definitely would',
    'Definitely no < Probably no < Unsure < Probably yes < Definitely yes',
    'No, not limited at all < Yes, limited a little < Yes, limited a lot',
    'Not at all concerned < Not too concerned < Somewhat concerned < Very concerned',
    'Not at all important < Not very important < Somewhat important < Very important',
    'Very uncomfortable < Uncomfortable < Neutral < Comfortable < Very comfortable',
    'Much worse < Somewhat worse < About the same < Somewhat better < Much better',
    'Extremely liberal < Liberal < Slightly liberal < Moderate, middle of the road < Slightly conservative < Conservative',
    'Never < less than once a year < once a year < several times a year < once a month < 2-3 times a month < nearly every week < every week < more than once a week',
    'Not at all < Some days < Every day',
    'None at all < Not very much confidence < Quite a lot of confidence < A great deal of confidence',
    'Extremely dissatisfied < Moderately dissatisfied < Slightly dissatisfied < Neither satisfied nor dissatisfied < Slightly satisfied < Extremely satisfied',
    'Never true < Rarely true < Sometimes true < Often true < Always true',
    'Light < Medium < Dark',
    'low < medium < high',
    'Small < Medium < Large < Extra large',
    'None < Mild < Moderate < Severe',
    'Lower class < Working class < Middle class < Upper class',
    'Rarely (less than once a month) < Sometimes (monthly) < Often (weekly or more)',
    // Other languages.
    'Nada satisfecho < Poco satisfecho < Ni satisfecho ni insatisfecho < Bastante satisfecho < Muy satisfecho || N.C., N.S.',
    'Totalmente en desacuerdo < En desacuerdo < Ni de acuerdo ni en desacuerdo < De acuerdo < Totalmente de acuerdo',
    'Nunca < Casi nunca < A veces < Casi siempre < Siempre',
    'Stimme überhaupt nicht zu < Stimme eher nicht zu < Teils/teils < Stimme eher zu < Stimme voll und ganz zu || Weiß nicht',
    'sehr unzufrieden < eher unzufrieden < weder noch < eher zufrieden < sehr zufrieden',
    'ungenügend < mangelhaft < ausreichend < befriedigend < gut < sehr gut',
    'nie < seltener < einmal pro Woche < mehrmals pro Woche < täglich',
    `Pas du tout d'accord < Plutôt pas d'accord < Plutôt d'accord < Tout à fait d'accord || Ne sait pas`,
    'Très insatisfait(e) < Plutôt insatisfait(e) < Plutôt satisfait(e) < Très satisfait(e)',
    `Per niente d'accordo < Poco d'accordo < Abbastanza d'accordo < Molto d'accordo`,
    'Discordo totalmente < Discordo < Não concordo nem discordo < Concordo < Concordo totalmente',
    'Helemaal mee oneens < Mee oneens < Niet mee eens, niet mee oneens < Mee eens < Helemaal mee eens',
    'Zdecydowanie się nie zgadzam < Raczej się nie zgadzam < Ani tak, ani nie < Raczej się zgadzam < Zdecydowanie się zgadzam || Trudno powiedzieć',
    'そう思わない < あまりそう思わない < どちらともいえない < ややそう思う < そう思う || わからない',
    '全くあてはまらない < どちらかといえばあてはまらない < どちらかといえばあてはまる < とてもあてはまる',
    '非常に不満 < 不満 < どちらでもない < 満足 < 非常に満足 || 無回答',
    '全くない < めったにない < ときどきある < よくある < いつも',
    '非常不同意 < 不同意 < 一般 < 同意 < 非常同意 || 不知道',
    '很不滿意 < 不太滿意 < 普通 < 比較滿意 < 很滿意 || 拒答',
    '从不 < 很少 < 有时 < 经常 < 总是',
    '전혀 그렇지 않다 < 그렇지 않다 < 보통이다 < 그렇다 < 매우 그렇다 || 잘 모르겠다',
    'لا أوافق بشدة < لا أوافق < محايد < أوافق < أوافق بشدة || لا أعرف',
    'غير راضٍ إطلاقًا < غير راضٍ < محايد < راضٍ < راضٍ جدًا',
    'أبدًا < نادرًا < أحيانًا < غالبًا < دائمًا',
    'Nigdy < Rzadko < Czasami < Często < Zawsze',
  ])('have the order of the scale: %s', (line) => {
    expect(shown(mixed(line))).toBe(`words: ${line}`)
  })

  it('are recognized in any case, with any accents, quotes and punctuation', () => {
    expect(shown(['PAS DU TOUT D’ACCORD', "Plutot d'accord.", 'tout à fait d`accord'])).toBe(
      "words: PAS DU TOUT D’ACCORD < Plutot d'accord. < tout à fait d`accord",
    )
  })

  it.each([
    ['1 - Never < 2 - Rarely < 3 - Sometimes || 9 - Don’t know', 'words'],
    ['1 = Strongly disagree < 2 = Disagree < 4 = Agree < 5 = Strongly agree', 'words'],
    ['1 (worst) < 2 < 3 < 4 < 5 (best)', 'codes'],
    ['[1] Pilot < [2] Rollout < [3] Done', 'codes'],
    ['1: less than 18 < 2: 18-24 < 3: 25 or more', 'numbers'],
  ])('may follow their codes: %s', (line, source) => {
    expect(shown(mixed(line))).toBe(`${source}: ${line}`)
  })

  it('have the order of the words if their codes run in the opposite direction', () => {
    expect(shown(['1 - Always', '2 - Sometimes', '3 - Never'])).toBe('words: 3 - Never < 2 - Sometimes < 1 - Always')
  })

  it.each([
    ['yes and no', ['Yes', 'No', 'Maybe']],
    ['an answer that does not apply', ['Yes', 'No', 'No internet service']],
    ['yes, no and no opinion', ['YES', 'NO', 'NO OPINION']],
    ['kinds of service', ['Fiber optic', 'DSL', 'No']],
    ['genders', ['Male', 'Female', 'Other', 'Non-binary']],
    ['marital status', ['Married', 'Single', 'Divorced', 'Widowed', 'Never-married']],
    ['parties', ['Labour', 'Conservative', 'Liberal', 'Green']],
    ['colours', ['Red', 'Green', 'Light blue', 'Dark blue']],
    ['metals', ['Gold', 'Silver', 'Bronze']],
    ['regions', ['Pacific', 'South Atlantic', 'East North Central', 'Mountain']],
    ['brands', ['BMW 3', 'BMW 5', 'BMW 7']],
    ['boards', ['Boeing 737', 'Boeing 747', 'Boeing 777']],
    ['products', ['Coffee A', 'Coffee B', 'Coffee C']],
    ['a scale with names in it', ['Light', 'Medium', 'Dark', 'Blonde', 'Italian']],
    ['jobs', ['Employed full-time', 'Student', 'Employed part-time', 'Retired']],
    ['hands', ['Right', 'Left', 'Neither']],
    ['seasons', ['Summer', 'Winter', 'Spring', 'Autumn']],
    ['places with a word of quality', ['Bad Homburg', 'Bad Ems', 'Bad Tölz']],
    ['streets', ['High Street', 'Low Street', 'Park Lane']],
    ['words of several scales', ['Good', 'Never', 'Large']],
    ['a thing among degrees', ['Blue', 'Some', 'None']],
    ['words of unknown sequence', ['quite satisfied', 'satisfied', 'very satisfied']],
    ['sometimes and occasionally', ['Sometimes', 'Occasionally', 'Often']],
    ['two sorts of denial', ['Not satisfied', 'Dissatisfied', 'Very satisfied']],
    ['rates that cover each other', ['less than once a month', 'once a year', 'every day']],
    ['vocational training without a level above it', ['Vocational', 'Secondary', 'Degree']],
    ['codes that number a list with gaps', ['1. North', '7. South', '13. East']],
    ['codes that run across the order of the words', ['1 - Never', '2 - Always', '3 - Sometimes']],
    ['two levels of a scale', ['Never', 'Always', 'Do not know']],
    ['nothing but marks', ['-', '?', '--', '']],
  ])('have no order in case of doubt: %s', (_, levels) => {
    expect(shown(levels)).toBe('no order')
  })
})

const WORDS = [
  'never',
  'very',
  'good',
  'no',
  '18',
  '-',
  '1.000',
  'or more',
  '€',
  'ни',
  '(',
  '1',
  '=',
  '\u0000',
  '𝒜',
  '·',
  "'",
]
const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.array(fc.constantFrom(...WORDS), { maxLength: 12 }).map((words) => words.join(' ')),
)

describe('any levels', () => {
  it('give a scale of at least three places, or none, without an error', () => {
    fc.assert(
      fc.property(fc.uniqueArray(hostile, { maxLength: 12 }), (levels) => {
        const scale = findScale(levels, false)
        if (scale === null) return
        const places = [...scale.values].filter((value) => !Number.isNaN(value))
        expect(scale.values).toHaveLength(levels.length)
        expect(new Set(places).size).toBe(places.length)
        expect(places.length).toBeGreaterThanOrEqual(3)
        expect(places.every(Number.isFinite)).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  it('have the same scale in any sequence', () => {
    const scales = [
      ['<$20', '$20-$40', '$40-$60', '>$100', 'NA'],
      ['Never', 'Monthly or less', '2-4 times a month', '2-3 times a week', '4 or more times a week'],
      ['1 - Never', '2 - Rarely', '3 - Sometimes', '9 - Don’t know'],
      ['Less than 6 months', '6 months to 1 year', '1-3 years', 'More than 3 years'],
      ['Preschool', '1st-4th', 'HS-grad', 'Some-college', 'Doctorate'],
    ]
    const shuffled = fc
      .constantFrom(...scales)
      .chain((levels) =>
        fc.shuffledSubarray(levels, { minLength: levels.length }).map((other) => [levels, other] as const),
      )
    fc.assert(
      fc.property(shuffled, ([levels, other]) => {
        const placesOf = (of: readonly string[]) => {
          const scale = findScale(of, false)
          return new Map(of.map((level, i) => [level, scale?.values[i]] as const).sort(([a], [b]) => (a < b ? -1 : 1)))
        }
        expect(placesOf(other)).toEqual(placesOf(levels))
      }),
    )
  })

  it('are refused at once if there are too many or they are too long', () => {
    const many = Array.from({ length: 65_535 }, (_, i) => `${i} to ${i + 1} years`)
    expect(findScale(many, false)).toBeNull()
    const long = ['never', 'always', '('.repeat(100_000), '1 '.repeat(50_000), '1,'.repeat(50_000)]
    expect(findScale(long, false)).toBeNull()
    // Scales of words have fewer levels than those of numbers.
    expect(findScale(many.slice(0, 200), false)?.source).toBe('numbers')
    expect(
      findScale(
        Array.from({ length: 31 }, (_, i) => `never${' '.repeat(i)}`),
        false,
      ),
    ).toBeNull()
  })
})
