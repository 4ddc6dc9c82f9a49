import type { Language } from './language.ts'
import { scalesOf, wholePhrases } from './whole-phrases.ts'

const MIDDLE = 'どちらともいえない, どちらとも言えない, どちらでもない, 普通, ふつう, 中立'

/** The words of approval, and their opposites. */
const POLES: readonly (readonly [approval: string, opposite: string])[] = [
  ['そう思う', 'そう思わない'],
  ['そう感じる', 'そう感じない'],
  ['同意する', '同意しない'],
  ['賛成', '反対'],
  ['満足', '不満'],
  ['満足している', '満足していない'],
  ['あてはまる', 'あてはまらない'],
  ['当てはまる', '当てはまらない'],
  ['重要', '重要ではない'],
  ['重要である', '重要でない'],
  ['良い', '悪い'],
  ['よい', 'わるい'],
  ['購入したい', '購入したくない'],
  ['利用したい', '利用したくない'],
  ['関心がある', '関心がない'],
  ['信頼している', '信頼していない'],
]

export const JAPANESE: Language = wholePhrases({
  steps: POLES.flatMap(([approval, opposite]) =>
    scalesOf(
      approval,
      [
        [5, '非常にX, とてもX, 大変X, 強くX, 大いにX, ぜひX'],
        [4, 'かなりX, よくX'],
        [3, 'X'],
        [2, 'ややX, まあX, まあまあX, 少しX, どちらかといえばX, どちらかと言えばX'],
        [-2, ['やや', '少し', 'あまり', 'どちらかといえば', 'どちらかと言えば'].map((d) => d + opposite).join(',')],
        [-3, opposite],
        [-4, ['かなり', 'ほとんど'].map((degree) => degree + opposite).join(',')],
        [
          -5,
          ['非常に', 'とても', '大変', '強く', '大いに', '全く', 'まったく', '全然'].map((d) => d + opposite).join(','),
        ],
      ],
      MIDDLE,
    ),
  ),
  frequency: [
    [0, 'まったくない, 全くない, 一度もない, まったくしない, 全くしない'],
    [10, 'ほとんどない, ほとんどしない, めったにない, めったにしない'],
    [20, 'たまに, たまにある, たまにする'],
    [30, 'ときどき, 時々, ときどきある, 時々ある, ときどきする, 時々する'],
    [50, 'よく, よくある, よくする, しばしば'],
    [70, 'ほとんどいつも, ほぼいつも'],
    [80, 'いつも, いつもある, いつもする, 常に'],
  ],
})
