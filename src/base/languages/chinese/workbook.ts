import type { Words } from '../english/english.ts'

export const WORKBOOK: Words['workbook'] = {
  sheets: { targets: '目标', backtest: (id) => `回测 ${id}` },
  about: {
    by: (column) => `，按 ${column}`,
    differences: '全部差异及其 95% 置信区间',
    targets: '每个情景的要求，以及其生成行的实际情况',
    provenance: '数据、模型和摘要，供引用和重复',
  },
  ended: (at) => `运行结束于 ${at}`,
  notEnded: '运行尚未结束。',
  howToRead: '阅读说明',
  letters:
    '数字旁的字母：该数字高于带此字母的列，且超出随机波动。是否超出随机波动，依据各比较的配对差异，在研究的全部问题中一并判断（Benjamini 和 Hochberg，5%）。没有任何比较并列的两列之间不标字母。',
  bases:
    '基数：一个数字所依据的原始数据行数。有效基数：多少个等权重的行能提供同样多的信息。为空表示服务没有给出。数字显示其标准误所支持的位数；单元格中保留全部位数。',
  heads: {
    sheet: '工作表',
    has: '内容',
    comparison: '比较',
    segment: '细分群体',
    question: '问题',
    answer: '答案',
    group: '组',
    unit: '单位',
    low: '95% 下限',
    high: '95% 上限',
    errorOf: (what) => `${what}误差`,
  },
  allRows: '全部行',
  rowsWith: (where) => `行：${where}`,
  all: '全部',
  base: '基数：原始数据行数',
  effectiveBase: '有效基数',
  rangeOf: (column) => `${column} 的范围`,
  terms: {
    study: '研究',
    name: '名称',
    description: '说明',
    id: '编号',
    trial: '试运行，行数上限',
    cleanRows: '清洗后的行数',
    cleanColumns: '清洗后的列数',
  },
}
