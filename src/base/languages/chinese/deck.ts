import type { Words } from '../english/english.ts'
import { count } from './numbers.ts'

export const DECK: Words['deck'] = {
  tag: 'zh-CN',
  part: (part, parts) => `（${part} / ${parts}）`,
  inFull: '全文：',
  answerSides: '基准 → 情景',
  low: '95% 下限',
  high: '95% 上限',
  whiskerBelow: '向下误差条',
  whiskerAbove: '向上误差条',
  titleOf: (title, comparison) => `${title}：${comparison}`,
  comparison: (id, against) => `比较 ${id}：相对于 ${against} 的差异。`,
  judged: '每个区间单独成立。差异是否超出随机波动，在研究的全部问题中一并判断（Benjamini 和 Hochberg，5%）。',
  forest: (outcome, against) => `${outcome} 相对于 ${against} 的差异及 95% 置信区间`,
  forestColours: '蓝条超出随机波动，灰条在随机波动之内或无法判断。',
  unmoved: (value, comparison) =>
    `${comparison === null ? '' : `${comparison} 中，`}${count(value)} 个结果指标没有超出随机波动的差异`,
  strongest: '每个结果指标只显示最强的差异。',
  segments: '细分群体内最强的差异；工作簿（whatif report --xlsx）包含全部差异。',
  curve: {
    whiskers: (against) =>
      `竖条是相对于 ${against} 的差异的 95% 置信区间，标在该点的取值上。蓝点与其差异超出随机波动，灰点没有超出或无法判断。`,
    days: (against) => `坐标轴为自 ${against} 起的天数。`,
    lowerEnd: '对所有点同时成立的下端',
    upperEnd: '对所有点同时成立的上端',
    further: (value) => `工作簿（whatif report --xlsx）另有 ${count(value)} 个结果指标。`,
  },
  distribution: {
    title: (column, scenario, against) => `${column}：情景 ${scenario} 与 ${against}`,
    shares: ({ column, where, inRows, sides }) =>
      `${column} 各类别的占比${where === null ? '' : `（限于 ${where}）`}，${inRows ? '按生成行计算' : '按两侧重新加权的原始数据计算'}：${sides}。`,
    steps: (column, where, isDate) =>
      `${column} 在生成行中的分布${where === null ? '' : `（限于 ${where}）`}：阶梯的高度是每单位${isDate ? '（天）' : ''}的行占比，因此面积就是行占比。${isDate ? '坐标轴为自 1970 年起的天数。' : ''}`,
    beyondSteps: (name, below, above) => `${name}：${below} 的行低于第一级，${above} 高于最后一级。`,
    label: (column) => `${column} 的分布`,
    perUnit: '每单位的行占比',
    days: (column) => `${column}，自 1970 年起的天数`,
    inRows: '生成行中',
  },
  verdict: (comparison, against, verdict) => `${comparison}，相对于 ${against}：${verdict}。`,
  moreComparisons: (left) => `另有 ${count(left)} 个比较。`,
  ended: (at) => `运行结束于 ${at}。`,
  figuresOf: (digest) => `数字取自摘要为 ${digest} 的清单文件。`,
  gates: '检查是研究对其结果提出的条件。',
  gatesFailed: (failed, gates) => `${count(gates)} 项检查中有 ${count(failed)} 项未通过`,
  mix: '数据本身的构成',
  scenarios: '情景所要求的占比、范围和均值；工作簿（whatif report --xlsx）列出其生成行的实际情况。',
  scenariosTitle: (ready, all) => `${count(all)} 个情景中有 ${count(ready)} 个得到了所要求的行`,
  method: '答案如何得出，有多可靠',
  methodNote: '完整方法见 whatif 的 docs/answers.md。',
  provenance: '这些数字的来源，供引用和重复',
  provenanceNote: 'whatif verify 可对照记录检查一次运行的文件。',
  heads: { of: '要求行数', what: '项目' },
}
