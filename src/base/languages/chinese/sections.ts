import { said } from '../../message/said.ts'
import type { Words } from '../english/english.ts'
import { count } from './numbers.ts'

export const SECTIONS: Words['sections'] = {
  responses: {
    title: '沿各轴的变化',
    left: (outcomes) => `图中是差异最强的结果指标。另有 ${count(outcomes)} 个结果指标列于比较的表格。`,
    beyond: '带 95% 置信区间，超出随机波动',
    bandEnds: '对所有点同时成立的区间端点',
    within: '在随机波动之内或无法判断',
    baseline: '基准',
    caption: ({ axis, held, outcome, isShare, where, what, against, from }) =>
      `沿 ${axis}${held === '' ? '' : `（${held}）`}，${where === null ? '' : `在 ${where} 的行中，`}${outcome}${isShare ? ' 的占比' : ''}${what}；在 ${against} 中为 ${from}`,
    bars: (against) => `。竖条是相对于 ${against} 的差异的 95% 置信区间。`,
    inDays: (against) => `坐标轴为自 ${against} 起的天数。`,
    atBothEnds: (figure) => `在两端均为 ${figure}`,
    mayBeChance: (from, first, to, last) => `在 ${first} 为 ${from}，在 ${last} 为 ${to}，可能出于偶然`,
    changes: (isRise, from, first, to, last) => `从 ${from}（${first}）${isRise ? '升至' : '降至'} ${to}（${last}）`,
    atEveryValue: (figure) => `在每个取值处均为 ${figure}`,
    between: (low, high) => `介于 ${low} 与 ${high} 之间，可能出于偶然`,
    extremes: (lowest, low, highest, high) => `在 ${lowest} 最低（${low}），在 ${highest} 最高（${high}）`,
    heads: { axis: '轴', held: '固定', value: '取值', number: '数值' },
    label: (outcome, axis, held) => `${outcome}，沿 ${axis}${held === '' ? '' : `，${held}`}`,
    point: (value, to, difference, against) => `${value}：${to}，相对于 ${against} 为 ${difference}`,
    interval: (interval) => `差异的 95% 置信区间 ${interval}`,
  },
  axes: {
    share: (of) => `${of} 的占比`,
    leastShare: (of) => `${of} 的最低占比`,
    greatestShare: (of) => `${of} 的最高占比`,
    smallest: (column) => `${column} 的最小值`,
    largest: (column) => `${column} 的最大值`,
    mean: (column) => `${column} 的均值`,
    leastMean: (column) => `${column} 的最低均值`,
    greatestMean: (column) => `${column} 的最高均值`,
  },
  distributions: {
    title: '分布',
    left: (distributions) => `图中是差别最大的情景。另外 ${count(distributions)} 个分布只会重复比较表格中的内容。`,
    baseline: '基准',
    scenario: '情景',
    label: (column, against, scenario) => `${column}：${against} 与 ${scenario}`,
    shares: (column, where, inRows, against) =>
      said`${column} 各类别的占比${where === null ? '' : said`${'（限于 '}${where}${'）'}`}${inRows ? '，按生成行计算' : ''}：${against}（空心条）与各情景（实心条）。`,
    numbers: ({ column, where, against, hasBins, hasQuantiles, isCut }) =>
      said`${column} 在生成行中的分布${where === null ? '' : said`${'（限于 '}${where}${'）'}`}，${against} 与各情景：${hasBins ? said`${'阶梯线是各分组的占比（'}${against}${' 为阴影）；'}` : ''}${hasQuantiles ? '线段从 5% 分位数到 95% 分位数，粗条位于两个四分位数之间' : '多次重复合并后的分位数未知'}。${isCut ? '带箭头的数字是超出该边界的占比。' : ''}`,
    level: '类别，%',
    figure: '指标',
    values: '取值个数',
    deviation: '标准差',
    days: (figure) => `${figure} 天`,
    below: (edge) => `低于 ${edge}，%`,
    above: (edge) => `高于 ${edge}，%`,
    more: (left) => `另有 ${left} 个：见数字`,
    tip: (name, median, quartiles, ends) =>
      `${name}：中位数 ${median}，四分位数 ${quartiles.join(' 和 ')}，5% 与 95% 分位数 ${ends.join(' 和 ')}`,
    median: (figure) => `中位数 ${figure}`,
  },
  targets: {
    title: '目标与达成情况',
    all: '全部目标',
    shares: (met, shares, scenarios) =>
      met < shares
        ? `${count(scenarios)} 个情景要求的 ${count(shares)} 个占比中，有 ${count(met)} 个精确到行地达成。`
        : `${count(scenarios)} 个情景要求的${shares === 1 ? '一个占比' : ` ${count(shares)} 个占比全部`}精确到行地达成。`,
    ranges: (outside, ranges) =>
      outside > 0
        ? `${count(ranges)} 个范围中有 ${count(outside)} 个存在范围之外的行。`
        : ranges === 1
          ? '每一行都在范围之内。'
          : `每一行都在其范围之内（共 ${count(ranges)} 个）。`,
    means: (met, means) =>
      met === means
        ? means === 1
          ? '均值已达成。'
          : `${count(means)} 个均值全部达成。`
        : `${count(means)} 个均值中有 ${count(met)} 个达成（千分之一以内）。`,
    rules: (broken, rules) =>
      broken > 0
        ? `部分行违反了 ${count(rules)} 条规则中的 ${count(broken)} 条。`
        : rules === 1
          ? '每一行都符合研究的规则。'
          : `每一行都符合研究的 ${count(rules)} 条规则。`,
    withoutRows: (scenarios) => `另有 ${count(scenarios)} 个情景没有可测量的行。`,
    caption: (share, scenario, achieved, target) =>
      `差距最大的是情景 ${scenario} 中的 ${share}：实际 ${achieved}，目标 ${target}。`,
    drawn: (shown, all) => `图中是 ${count(all)} 个中最大的 ${shown} 个。`,
    target: '目标',
    achieved: '达成',
    chance: '在这样的行数下仅由随机造成的波动',
    picture: '目标与达成的占比',
    tip: (share, target, achieved, rows) => `${share}：目标 ${target}，在 ${rows} 行中达成 ${achieved}`,
  },
  feasibility: {
    title: '行数及其背后的证据',
    all: '全部情景',
    notReported: '服务没有报告有多少行原始数据支撑一个情景。',
    weakest: (isOne, rows, scenario) =>
      said`生成行不是新的答案。有效行数说明一个情景建立在多少行原始数据之上：${isOne ? '为' : '最少为'} ${rows}，情景 ${scenario}。`,
    tooWide: (group) => said`${group} 在两个轴上的取值都过多，无法绘图；数字见表格。`,
    caption: (full, all, group) =>
      `${group} 的 ${count(all)} 个情景中${full === all ? '全部' : `有 ${count(full)} 个`}得到了所要求的全部行；“原始”是其背后原始数据的有效行数，颜色越深表示越多。`,
    replicates: '同一情景的多次重复中，绘制最弱的一次。',
    drawn: (shown, all) => `图中绘制了 ${all} 张中的 ${shown} 张。`,
    scenariosOf: (group) => `${group} 的情景`,
    heads: {
      askedFor: '要求',
      delivered: '交付',
      seedRows: '原始行',
      tilt: '最大倾斜',
      inRange: '范围内',
      standardErrors: '标准误',
      support: '支撑',
      binds: '限制因素',
    },
    further: '个情景列于清单文件',
    meaning:
      '“原始行”指有效行数。保护原始数据的服务以范围的形式给出。“倾斜”是某一组合的占比与其通常占比之比的最大值。如果把每个生成行当作一个人来分析，请将标准误乘以系数 √(1 + 行数 / 原始行)。',
    thin: '较弱',
    enough: '足够',
    notAsked: '未要求',
    seed: (rows) => `原始 ${rows}`,
    tipRows: (counted, requested) => `${count(requested)} 行中的 ${count(counted)} 行`,
    tipSeed: (rows) => `原始数据 ${rows}`,
    thinEvidence: '证据较弱',
    binds: (what) => `限制因素：${what}`,
  },
  comparisons: {
    title: '比较',
    against: (baseline) => said`相对于 ${baseline}`,
    leftOut: (rows, manifest, command) =>
      said`此处省略了 ${count(rows)} 行。${manifest} 包含全部内容，${command} 可将其写出。`,
    countedIn: (where, rows) => said`结果指标仅统计 ${where} 的行${rows === null ? '' : `（${rows}）`}。`,
    noResult: (scenarios) => said`没有可比较的结果：${scenarios}。`,
    insideSegments: (why) => `细分群体内的区间不以原始数据为依据：${why}。`,
    segmentOf: (level, scenario) => said`${scenario} 中的 ${level}`,
    emptySegments: (segments) => said`一侧没有行：${segments}。`,
    sharesOf: (column) => said`${column} 的占比`,
    numbersOf: (figure, column) => said`${column} 的${figure}`,
    by: (column) => said`，按 ${column}`,
    rows: '行数',
    size: (rows, beyond) => `${count(rows)} 行，${count(beyond)} 个超出随机波动`,
  },
}
