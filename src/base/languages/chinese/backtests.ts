import { said } from '../../message/said.ts'
import type { Words } from '../english/english.ts'
import { count } from './numbers.ts'

export const BACKTESTS: Words['backtests'] = {
  title: '过去是否说中？',
  done: (by, on) => said`${by} 的每个组都由其他组预测，其他组按该组的 ${on} 重新加权。`,
  madeBy: (tool) => said`由 whatif ${tool} 生成。`,
  unknown: (why) => `没有任何结果：${why}`,
  nothing: '没有可预测的内容',
  nearer: (nearer, predictions) =>
    `${count(predictions)} 个数字中，有 ${count(nearer)} 个重新加权后的答案比未加权的更接近`,
  held: (held, told, misses) =>
    `；${count(told)} 个 95% 置信区间中有 ${count(held)} 个包含实际答案${misses === 0 ? '（偶然情况下二十个中有一个不包含）' : `（偶然情况下约有 ${count(misses)} 个不包含）`}`,
  relative: (error, isBetter) => `其误差为不加权时的 ${error}${isBetter ? '' : '：重新加权没有帮助'}`,
  times: (ratio) => `${count(ratio)} 倍`,
  byModels: ({ rows, nearer, predictions, held, error }) =>
    [
      `由未见过该组的模型预测，每组 ${count(rows)} 行：${count(predictions)} 个数字中有 ${count(nearer)} 个比未加权的答案更接近`,
      ...(held === null ? [] : [`${count(held[1])} 个中有 ${count(held[0])} 个在区间与生成噪声之内`]),
      ...(error === null ? [] : [`误差为不加权时的 ${error}`]),
    ].join('；'),
  noneBeyond: '一并判断，没有误差超出随机波动',
  someBeyond: (beyond, told) =>
    `一并判断，${count(told)} 个误差中有 ${count(beyond)} 个超出随机波动：各组在这些列未反映的方面存在差别`,
  note: '误差是预测值减去该组的实际答案；“未加权”是其他组不作调整时的误差。区间计入了两个样本的随机性，各为 95%。超出随机波动的误差（*）一并判断。回测不能说明因果，不能说明没有人问过的列，也不能说明与其他组都不同的组。',
  notPredicted: (group, why) => said`未预测 ${group}：${why}。`,
  why: {
    no_match: '其他组无法按它重新加权，例如其中没有任何一行具有它的某个类别',
    too_few_rows: '该组或其他组的行数过少',
  },
  heads: {
    figure: '数字',
    predicted: '预测',
    actual: '实际',
    error: '误差',
    interval: '95% 置信区间',
    unweighted: '未加权',
    byModel: '模型',
  },
  errors: '误差',
  rowsLeft: '行在此省略',
  smallerErrors: (figures) => `${count(figures)} 个误差较小的数字只列于表中。`,
  firstGroups: (groups) => `图中显示前 ${groups} 个组。`,
  errorMark: '重新加权后的误差及其 95% 置信区间',
  nothingMark: '不加权时的误差',
  picture: (figure) => `${figure} 各组的误差`,
  tip: (of) =>
    `${of.group}。${of.figure}：预测 ${of.predicted}，实际 ${of.actual}，误差 ${of.error}，95% 置信区间 ${of.interval}，未加权 ${of.unweighted}${of.isBeyond ? '，超出随机波动' : ''}`,
}
