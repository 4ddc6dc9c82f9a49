import { said } from '../../message/said.ts'
import type { Words } from '../english/english.ts'
import { count } from './numbers.ts'

export const RECORD: Words['record'] = {
  page: {
    about: '假设情景研究',
    skip: '跳到答案',
    contents: '目录',
    noNetwork: '本文件无需联网。',
    madeBy: (tool, digest) => said`由 whatif ${tool} 根据摘要为 ${digest} 的清单文件生成。`,
    figures: '数字',
    savePicture: '将图保存为 SVG',
  },
  findings: {
    title: '说明',
    more: (left, file) => said`另有 ${String(left)} 条列于 ${file}。`,
  },
  provenance: {
    title: '来源',
    toCite: '引用',
    toRepeat: '重复',
    citation: ({ study, run, ended, tool, digest, studyDigest }) =>
      said`${study}：基于合成数据的假设情景研究。运行 ${run}，${ended === null ? '未结束' : `结束于 ${ended}`}，whatif ${tool}。清单文件摘要 ${digest}${studyDigest === null ? '' : said`${'，研究摘要 '}${studyDigest}`}。`,
    repeat: (file, hasChanges, command) =>
      said`清单文件不记录研究文件的名称，通常为 ${file}。相同的研究、原始数据文件、随机种子和引擎会得到相同的行。${hasChanges ? '受版本控制的文件有提交中未包含的改动。' : ''}${command} 可比较两次运行的清单文件。`,
    run: '运行',
    data: '数据与模型',
    results: '结果',
    scenarios: (scenarios) => `${count(scenarios)} 个情景`,
    exitCode: (code, reasons) => `，退出码 ${code}（${reasons}）`,
    notYet: '尚未',
    uncommitted: '，含未提交的改动',
    noFile: '无：服务上的数据集',
    terms: {
      run: '运行',
      endedAs: '结束状态',
      started: '开始',
      ended: '结束',
      service: '服务',
      commit: '提交',
      scope: '作用域',
      manifestDigest: '清单文件摘要',
      studyDigest: '研究摘要',
      dataset: '数据集',
      seedFile: '原始数据文件',
      sha256: '其 SHA-256',
      fingerprint: '指纹',
      schema: '清洗后的模式',
      model: '模型',
      trained: '训练时间',
    },
    heads: {
      scenario: '情景',
      status: '状态',
      askedFor: '要求',
      rows: '行数',
      fill: '完成率',
      seed: '随机种子',
      file: '文件',
    },
  },
  markdown: {
    cite: ({ digest, studyDigest, run, ended, tool }) =>
      said`引用：清单文件摘要 ${digest}${studyDigest === null ? '' : said`${'，研究摘要 '}${studyDigest}`}。运行 ${run}，结束于 ${ended}，whatif ${tool}。`,
    ready: (ready, scenarios) => `${count(scenarios)} 个情景中 ${count(ready)} 个就绪`,
    rows: (rows, requested) => `${count(requested)} 行中的 ${count(rows)} 行`,
    run: (status, end, parts) => said`运行${status}${end}：${parts}。`,
    exitCode: (code, reasons) => said`，退出码 ${String(code)}（${reasons}）`,
  },
}
