import type { Language } from './language.ts'

export const PORTUGUESE: Language = {
  degrees: [
    [7, 'totalmente, completamente, absolutamente, plenamente, definitivamente, com certeza'],
    [6, 'extremamente, muitissimo'],
    [4, 'muito, muit{a|os|as}, fortemente'],
    [3, 'sim'],
    [2, 'bastante, moderadamente, parcialmente, em parte, provavelmente, razoavelmente, mais ou menos'],
    [1, 'ligeiramente, um pouco, levemente'],
    [-1, 'pouco, pouc{a|os|as}, nao muito, muito pouco'],
    [-2, 'provavelmente nao'],
    [-3, 'nao'],
    [-5, 'nada, de modo nenhum, de forma alguma, de jeito nenhum, nenhum, nenhuma'],
    [-7, 'definitivamente nao, com certeza nao'],
  ],
  fillers: 'estou, e, me, sinto, o, a, com',
  middle:
    'neutro, neutra, neutral, indiferente, indecis{o|a}, talvez, depende, nem um nem outro, nao concordo nem discordo',
  neither: 'nem',
  prefixes: 'in, im, des, dis, ir',
  poles: [
    [
      [3, 'concordo, concorda, de acordo, acordo, a favor, verdadeiro'],
      [-3, 'discordo, discorda, em desacordo, desacordo, contra, falso'],
    ],
    [
      [3, 'satisfeit{o|a|os|as}, content{e|es}, feliz'],
      [-3, 'insatisfeit{o|a|os|as}, descontent{e|es}, infeliz'],
    ],
    [
      [6, 'excelente, otim{o|a}'],
      [3, 'bom, boa, bons, boas, bem, positiv{o|a}'],
      [1, 'satisfatori{o|a}, aceitavel'],
      [0, 'regular, medi{o|a}, razoavel, mais ou menos'],
      [-3, 'mau, ma, maus, mas, ruim, mal, negativ{o|a}'],
      [-6, 'pessim{o|a}, terrivel'],
    ],
    [
      [3, 'provavel'],
      [-3, 'improvavel'],
      [-7, 'impossivel'],
    ],
    [
      [3, 'facil'],
      [-3, 'dificil'],
    ],
    [
      [3, 'alt{o|a|os|as}, elevad{o|a}'],
      [0, 'medi{o|a|os|as}, moderad{o|a}'],
      [-3, 'baix{o|a|os|as}'],
    ],
    [
      [3, 'melhor, melhorou, mais, aumentou'],
      [0, 'igual, o mesmo, na mesma, manteve se, sem alteracao'],
      [-3, 'pior, piorou, menos, diminuiu'],
    ],
  ],
  steps: [
    [
      [-5, 'muito pequen{o|a}'],
      [-3, 'pequen{o|a}'],
      [0, 'medi{o|a}'],
      [3, 'grande'],
      [4, 'muito grande'],
    ],
    [
      [-5, 'extrema esquerda'],
      [-3, 'esquerda'],
      [-1, 'centro esquerda'],
      [0, 'centro'],
      [1, 'centro direita'],
      [3, 'direita'],
      [5, 'extrema direita'],
    ],
  ],
  frequency: [
    [0, 'nunca, jamais'],
    [5, 'quase nunca, muito raramente'],
    [10, 'raramente, poucas vezes'],
    [20, 'as vezes, algumas vezes, por vezes, ocasionalmente, de vez em quando'],
    [50, 'frequentemente, com frequencia, muitas vezes, regularmente'],
    [
      60,
      'muito frequentemente, geralmente, normalmente, na maioria das vezes, a maior parte das vezes, a maior parte do tempo',
    ],
    [70, 'quase sempre'],
    [80, 'sempre'],
  ],
  education: [
    [0, 'sem escolaridade, sem instrucao, nenhuma, analfabet{o|a}'],
    [7, 'ensino primario, primario, ensino basico, fundamental, ensino fundamental'],
    [16, 'ensino secundario, secundario, ensino medio, medio'],
    [20, 'licenciatura, ensino superior, superior, bacharelato, graduacao'],
    [22, 'mestrado, pos graduacao'],
    [24, 'doutoramento, doutorado'],
  ],
}
