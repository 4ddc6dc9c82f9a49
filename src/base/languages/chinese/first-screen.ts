import { said } from '../../message/said.ts'
import type { Words } from '../english/english.ts'
import { count } from './numbers.ts'

export const FIRST_SCREEN: Words['firstScreen'] = {
  title: '答案',
  delivered: (ready, scenarios, rows) => {
    const which =
      ready === scenarios
        ? scenarios === 1
          ? '该情景'
          : `全部 ${count(scenarios)} 个情景都`
        : `${count(scenarios)} 个情景中有 ${count(ready)} 个`
    return `${which}得到了所要求的行数：共 ${count(rows)} 行。`
  },
  noneWithInterval: (total, against) =>
    said`${against === null ? '' : said`${'相对于 '}${against}${'，'}`}${total === 1 ? '该差异没有' : `${count(total)} 个差异都没有`}对总体成立的区间。`,
  oneDifference: (isBeyond, against) =>
    said`${against === null ? '' : said`${'相对于 '}${against}${'，'}`}该差异${isBeyond ? '超出随机波动' : '在随机波动之内'}。`,
  differences: ({ beyond, total, unknown, against }) =>
    said`${against === null ? '' : said`${'相对于 '}${against}${'，'}`}${
      beyond === total
        ? `全部 ${count(total)} 个差异都超出随机波动`
        : beyond === 0
          ? `${count(total)} 个差异均未超出随机波动`
          : `${count(total)} 个差异中有 ${count(beyond)} 个超出随机波动`
    }。${unknown === 0 ? '' : `其中 ${count(unknown)} 个的随机性无法判断。`}`,
  pooled: (text) => `${text}。`,
  pooledIn: (comparison, text) => `在 ${comparison} 中，${text}。`,
  sentence: (of) => said`${of}。`,
  from: (against) => said`相对于 ${against}`,
  fromInRows: (against, where, rows) =>
    said`相对于 ${against}，仅限 ${where} 的行${rows === null ? '' : `（${rows}）`}`,
  captionFrom: (against) => `相对于 ${against} 的差异及 95% 置信区间，从大到小排列。`,
  captionFromAll: '相对于各自基准的差异及 95% 置信区间，从大到小排列。',
  captionJudged: '每个区间各自成立；差异是否超出随机波动，则对研究的所有问题一并判断。',
  captionChance: (chance, known) =>
    `如果没有任何真实差异，${count(known)} 个中约有 ${count(chance)} 个会超出随机波动。`,
  captionShown: (shown, total, kind) => `图中显示 ${count(total)} 个中的 ${count(shown)} 个：${kind}。`,
  kinds: {
    unknown: '最强的差异；随机性无法判断',
    noneBeyond: '最强的差异；没有一个超出随机波动',
    strongestBeyond: '超出随机波动的差异中最强的',
    beyond: '超出随机波动的差异',
  },
  withinOrNotKnown: '在随机波动之内或无法判断',
  thinSupport: '支撑较弱',
  noiseOnly: '仅生成噪声',
  or: '，或',
  differencesTable: '差异',
  inPoints: '，百分点',
  shares: '占比：差异（百分点）',
  numbers: (outcome, inDays) => `${outcome}：差异${inDays ? '（天）' : ''}`,
  less: '更少',
  more: '更多',
  sides: '基准 → 情景',
  difference: '差异',
  shortDifference: '差异',
  tip: (scenario, parts) => `${scenario}。${parts}`,
  intervalOf: (interval) => `95% 置信区间 ${interval}`,
  generated: '生成的内容',
  conditions: '条件',
  rows: '行数',
  askedFor: '要求',
  moreScenarios: '个情景列于“来源”',
  none: '无',
  moreConditions: (left) => `；另有 ${left} 项`,
}
