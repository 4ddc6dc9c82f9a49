import { said } from '../../message/said.ts'
import type { Words } from '../english/english.ts'
import { count } from './numbers.ts'

export const ANSWERS: Words['answers'] = {
  heads: {
    scenario: '情景',
    outcome: '结果指标',
    baseline: '基准',
    difference: '差异',
    interval: '95% 置信区间',
    inRows: '生成行中',
    beyond: '超出随机波动',
    notes: '备注',
    marks: '备注',
    from: '从',
    to: '到',
  },
  marks: {
    'asked for': '预先设定',
    thin: '支撑较弱',
    'too few seed rows': '原始数据行数过少',
    'another training': '另一次训练',
  },
  generationAlone: '区间仅反映生成噪声',
  withModel: (difference) => `借助模型为 ${difference}（平均更接近真值，但偏小）`,
  bases: {
    seed: '按两个情景重新加权的原始数据',
    effective_rows: '由有效行数得出的界',
    generation: '仅生成噪声',
  },
  noEstimates: {
    no_estimates_operation: '服务不提供基于原始数据的差异估计',
    no_segment_estimates: '服务不提供细分群体内的差异估计',
    no_where_estimates: '服务不提供 `where` 所选行中的差异估计',
    no_quantile_estimates: '服务不给出分位数：它要保护原始数据，或者并不掌握分位数',
    estimates_dataset_gone: '服务上已没有该数据集',
    estimates_other_model: '两侧来自不同的模型',
    estimates_refused: '服务拒绝给出估计',
    estimates_unreadable: '无法读取服务的答复',
    estimates_failed: '服务没有答复；下次运行会再次询问',
    estimates_not_asked: '没有询问服务：运行提前结束，或数据中没有所指的内容',
  },
  restOn: (bases) => `区间的依据：${bases}`,
  noIntervals: (why) => `没有区间：${why}`,
  noQuantileIntervals: (why) => `分位数没有区间：${why}`,
  notes: [
    '答案就是原始数据所显示的：把原始数据自身的行按两个情景重新加权后得到的差异。如果原始数据是总体的随机样本，其区间以 95% 的置信水平包含总体中的差异。两者都与生成多少行无关。',
    '“生成行中”是同一差异在生成行中的取值。生成行尽可能与答案一致，在细分群体内则较弱。',
    '“支撑较弱”表示答案背后的原始数据不足 50 行，或自由度不足 20（均值为 50）。支撑不足 20 行时不给出区间。支撑不足 50 行时，旁边另列借助模型得到的数字：由原始数据的差异与生成行的差异混合而成。它平均更接近真值，但被削弱，即偏小。',
  ],
  shareOutcome: (column, level) => said`${column} ${level} 的占比`,
  numberOutcome: (figure, column) => said`${column} 的${figure}`,
  sentence: ({ scenario, outcome, rows, falls, from, to, difference, interval }) =>
    said`在情景 ${scenario} 下，${rows === null ? '' : said`${'在 '}${rows}${' 的行中，'}`}${outcome}从 ${from} ${falls ? '降至' : '升至'} ${to}：${difference}${interval === '' ? '' : `，95% 置信区间 ${interval}`}`,
  countedIn: (where, rows) => `仅统计 ${where} 的行${rows === null ? '' : `（${rows}）`}`,
  notCompared: { shares: '', means: ' 均值', quantiles: ' 分位数', segments: ' 细分群体', where: ' 位于 where' },
  notInData: (names) => `数据中不存在，故未作比较：${names.join('、')}`,
  brokenRules: (rows, rule, others) =>
    `${count(rows)} 行违反“${rule}”${others === 0 ? '' : `，另有 ${count(others)} 条规则被违反`}`,
  trial: (rows) => `试运行，每个情景至多 ${count(rows)} 行：数字比正式研究粗略，检查项不计入结果`,
  nearestConditions: '能得到全部行的最接近条件：',
  nearestMix: (points) => `能得到全部行的最接近组合需将占比移动 ${points}：`,
  nothingToEvaluate: '没有可检查的内容',
  gateInterval: (percent, interval) => `${percent === null ? '' : `${percent} `}置信区间 ${interval}`,
  noInterval: {
    too_few_rows: '原始数据行数过少，无法给出区间',
    generation_only: '没有区间：只知道生成噪声',
    no_standard_error: '没有区间：一侧不足两个值',
    other: '没有区间',
  },
  verdicts: {
    none: '没有差异',
    noneAsMissing: '没有差异，因为缺少结果',
    tooFew: (all) => `${count(all)} 个差异；原始数据行数过少，无法给出区间`,
    unknown: (all) => `${count(all)} 个差异；随机性无法判断`,
    oneWithin: '该差异在随机波动之内',
    oneBeyond: '该差异超出随机波动',
    noneBeyond: (all) => `${count(all)} 个差异中没有一个超出随机波动`,
    someBeyond: (beyond, all) => `${count(all)} 个差异中有 ${count(beyond)} 个超出随机波动`,
    questions: (beyond, asked) =>
      asked === 1
        ? `这个问题的答案${beyond === 1 ? '超出' : '未超出'}随机波动`
        : `${count(asked)} 个问题中${beyond === 0 ? '没有一个' : `有 ${count(beyond)} 个`}的答案超出随机波动`,
    moreOfThem: (more) => `另有 ${count(more)} 个`,
    moreBeyond: (more) => `另有 ${count(more)} 个超出随机波动`,
    moreWithin: (more) => `另有 ${count(more)} 个在随机波动之内`,
    moreTooFew: (more) => `另有 ${count(more)} 个因原始数据行数过少而没有区间`,
    moreUnknown: (more) => `另有 ${count(more)} 个的随机性无法判断`,
    oneInTwenty: '超出随机波动的答案中，约 20 个里仍有 1 个是偶然',
    ifNone: (chance, decided) => `如果没有任何真实差异，${count(decided)} 个中约有 ${count(chance)} 个会超出随机波动`,
    bySegments: (by, what) => `按 ${by}：${what}`,
    segmentsUnknown: (all) => `细分群体内 ${count(all)} 个差异；随机性无法判断`,
    segments: (beyond, all, chance) =>
      `细分群体内 ${count(all)} 个差异中有 ${count(beyond)} 个超出随机波动${chance === null ? '' : `；如果没有任何真实差异，约有 ${count(chance)} 个会如此`}`,
    pooled: (scenarios, fewest, most) =>
      `${count(scenarios)} 个情景各由 ${fewest === most ? most : `${fewest} 至 ${most}`} 次重复合并而成`,
    withoutResult: (scenarios) => `${count(scenarios)} 个情景没有两侧的结果`,
  },
}
