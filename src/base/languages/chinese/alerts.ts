import { said } from '../../message/said.ts'
import type { Words } from '../english/english.ts'
import { count } from './numbers.ts'

export const ALERTS: Words['alerts'] = {
  trial: (text) => `这是${text}。`,
  incomplete: '运行尚未完成',
  resultsMayChange: (status) => `（${status}）。结果可能会改变。`,
  ended: {
    failed: (scenarios) => `${count(scenarios)} 个情景失败：`,
    refused: (scenarios) => `${count(scenarios)} 个情景被拒绝：`,
    interrupted: (scenarios) => `${count(scenarios)} 个情景被中断：`,
    running: (scenarios) => `${count(scenarios)} 个情景仍在运行：`,
    not_started: (scenarios) => `${count(scenarios)} 个情景没有生成：`,
  },
  fewerRows: (scenarios) => `${count(scenarios)} 个情景的行数少于要求：`,
  moreMixes: (left) => `清单文件中另有 ${count(left)} 个最接近组合。`,
  rulesBroken: '规则被违反',
  rulesBrokenIn: (strong, scenario, what) => said`${strong}，情景 ${scenario}：${what}。`,
  gateFailed: '检查未通过：',
  gateFailedInTrial: '检查未通过（不计入结果）：',
  gate: (head, of, gate, expected, found) => said`${head}${of}，${gate}：期望 ${expected}，实际 ${found}。`,
  warnings: (gates) => `${count(gates)} 项警告级检查未通过。`,
  notInData: () => '数据中不存在，故未作比较：',
  thinEvidence: '证据较弱：',
  thinSupport: (head, scenarios) => said`${head}支撑 ${scenarios} 的原始数据行数很少。`,
  list: (head, what) => said`${head}${what}。`,
  more: {
    reasons: (left) => `另有 ${count(left)} 个原因：见下方表格。`,
    scenarios: (left) => `另有 ${count(left)} 个情景：见下方表格。`,
    gates: (left) => `另有 ${count(left)} 项未通过的检查：见下方表格。`,
  },
  ofRows: (counted, requested) => `（${count(requested)} 行中的 ${count(counted)} 行）`,
}
