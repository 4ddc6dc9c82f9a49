import { said } from '../../message/said.ts'
import type { Words } from '../english/english.ts'
import { count } from './numbers.ts'

export const TABLES: Words['tables'] = {
  heads: {
    scenario: '情景',
    column: '列',
    level: '类别',
    target: '目标',
    achieved: '达成',
    difference: '差异',
    noise: '生成噪声',
    rows: '行数',
    rowsOutside: '范围外的行',
    shareOutside: '范围外的占比',
    distance: '差距',
    values: '取值个数',
    rule: '规则',
    rowsAbout: '适用的行',
    rowsBreaking: '违反的行',
  },
  shares: '占比',
  sharesLeft: '由模型决定的占比',
  ranges: '范围',
  means: '均值',
  rules: '规则',
  further: {
    targets: '个目标列于清单文件',
    shares: '个占比列于清单文件',
    ranges: '个范围列于清单文件',
    means: '个均值列于清单文件',
    rules: '条规则列于清单文件',
  },
  noValue: '（无值）',
  noise:
    '生成噪声为 2·√(p(1−p)/n)：如果各行独立抽取，n 行中占比仅因随机而产生的波动。它说明结果与目标有多接近，与总体无关。能把目标精确到最近一行的服务（内置服务即如此）远低于此值。',
  gates: {
    title: '检查',
    verdict: (passed, gates) =>
      passed < gates
        ? `${count(gates)} 项检查中有 ${count(passed)} 项通过。`
        : gates === 1
          ? '检查通过。'
          : `全部 ${count(gates)} 项检查通过。`,
    passed: '通过的检查',
    notPassed: '未通过的检查',
    heads: { of: '对象', gate: '检查', level: '级别', expected: '期望', found: '实际', verdict: '结论' },
    owners: { scenario: '', comparison: '比较 ', backtest: '回测 ' },
    more: '项列于 manifest.json',
    nothing: '没有可检查的内容',
    otherwise: '清单文件的结论不同',
    notSelected: '本次运行未选择',
    ok: '通过',
    failed: '未通过',
    warning: '警告',
  },
  replicates: {
    none: (scenario) => said`${scenario}：没有任何一次重复有结果。`,
    together: (scenario, known, all, names) =>
      said`${scenario} 合并了 ${known === all ? '' : `${known} / `}${String(all)} 次重复：${names}。`,
    spread: (figures) => said`各次重复之间差异的标准差：${figures}。它衡量生成噪声，而不是原始数据的抽样误差。`,
  },
  distances: {
    title: '生成行与答案的接近程度',
    atMost: (points) => `相差至多 ${points} 个百分点；`,
    far: (far, all) => `${count(all)} 个差异中有 ${count(far)} 个超过两个标准误`,
    rowsOf: (comparison) => said`比较 ${comparison} 的行`,
    heads: {
      differences: '差异个数',
      largest: '最大差距，百分点',
      rms: '均方根，标准误',
      beyond: '超过两个标准误',
    },
    note: '生成行中的差异与答案有多接近。差距是文件的，而不是答案的。其中包含生成噪声，因此行数少的文件差距更大。文件中的细分群体不如整体接近。',
  },
  leading: {
    of: (comparison, against) => said`${comparison}（相对于 ${against}）`,
    title: (comparison) => said`结论：${comparison}`,
  },
}
