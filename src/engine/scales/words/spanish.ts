import type { Language } from './language.ts'

export const SPANISH: Language = {
  degrees: [
    [
      7,
      'totalmente, completamente, absolutamente, plenamente, del todo, definitivamente, por completo, seguro que si, con toda seguridad',
    ],
    [6, 'extremadamente, sumamente, muchisimo'],
    [4, 'muy, mucho, much{a|os|as}, fuertemente, altamente, en gran medida'],
    [3, 'si'],
    [
      2,
      'bastante, mas bien, algo, moderadamente, parcialmente, en parte, probablemente, medianamente, en cierta medida',
    ],
    [1, 'ligeramente, un poco, levemente'],
    [-1, 'poco, poc{a|os|as}, no muy, no mucho, no demasiado, muy poco, no tan, apenas'],
    [-2, 'probablemente no, mas bien no'],
    [-3, 'no'],
    [-5, 'nada, para nada, en absoluto, no nada, nada en absoluto, ningun{o|a}'],
    [-7, 'definitivamente no, seguro que no, con toda seguridad no'],
  ],
  fillers: 'estoy, esta, es, me, lo, la, el, de la, con, siento, muestro, se, le, persona, casi',
  middle: `neutral, neutro, indiferente, indecis{o|a}, regular, mixto, intermedio, termino medio, quizas, tal vez, depende, ni fu ni fa`,
  neither: 'ni',
  prefixes: 'in, im, des, dis, ir',
  poles: [
    [
      [3, 'de acuerdo, acuerdo, a favor, verdadero, cierto'],
      [-3, 'en desacuerdo, desacuerdo, en contra, falso'],
    ],
    [
      [3, 'satisfech{o|a|os|as}, content{o|a}, feliz'],
      [-3, 'insatisfech{o|a|os|as}, descontent{o|a}, infeliz'],
    ],
    [
      [6, 'excelente, optim{o|a}'],
      [3, 'buen{o|a|os|as}, buen, bien, positiv{o|a}'],
      [0, 'regular, regulares, normal, medi{o|a}, aceptable'],
      [-3, 'mal{o|a|os|as}, mal, deficiente, negativ{o|a}'],
      [-6, 'pesim{o|a}, terrible, horrible'],
    ],
    [
      [3, 'probable'],
      [-3, 'improbable'],
      [-7, 'imposible'],
    ],
    [
      [3, 'facil'],
      [-3, 'dificil'],
    ],
    [
      [3, 'alt{o|a|os|as}, elevad{o|a}'],
      [0, 'medi{o|a|os|as}, moderad{o|a}'],
      [-3, 'baj{o|a|os|as}'],
    ],
    [
      [3, 'fuerte'],
      [0, 'medi{o|a}, moderad{o|a}'],
      [-3, 'debil, leve'],
    ],
    [
      [3, 'mejor, mejorado, mas, ha mejorado, aumentado'],
      [0, 'igual, lo mismo, mas o menos igual, sin cambios, se mantiene'],
      [-3, 'peor, empeorado, menos, ha empeorado, disminuido'],
    ],
  ],
  steps: [
    [
      [-5, 'muy pequen{o|a}'],
      [-3, 'pequen{o|a}'],
      [0, 'median{o|a}'],
      [3, 'grande'],
      [4, 'muy grande'],
    ],
    [
      [0, 'clase baja, baja'],
      [1, 'clase trabajadora, clase obrera'],
      [2, 'clase media baja, media baja'],
      [3, 'clase media, media, clase media media'],
      [4, 'clase media alta, media alta'],
      [5, 'clase alta, alta'],
    ],
    [
      [-5, 'extrema izquierda'],
      [-3, 'izquierda'],
      [-1, 'centro izquierda'],
      [0, 'centro'],
      [1, 'centro derecha'],
      [3, 'derecha'],
      [5, 'extrema derecha'],
    ],
  ],
  frequency: [
    [0, 'nunca, jamas'],
    [5, 'casi nunca, muy rara vez, muy raramente'],
    [10, 'rara vez, raramente, raras veces, pocas veces'],
    [20, 'a veces, algunas veces, alguna vez, ocasionalmente, de vez en cuando'],
    [40, 'la mitad del tiempo, la mitad de las veces'],
    [50, 'a menudo, frecuentemente, con frecuencia, regularmente, muchas veces, bastantes veces'],
    [
      60,
      'muy a menudo, muy frecuentemente, normalmente, generalmente, la mayoria de las veces, con mucha frecuencia, habitualmente, la mayor parte del tiempo',
    ],
    [70, 'casi siempre'],
    [80, 'siempre, todo el tiempo'],
  ],
  education: [
    [0, 'sin estudios, sin educacion, analfabet{o|a}, ninguno, sin escolaridad'],
    [3, 'primaria incompleta, estudios primarios incompletos'],
    [7, 'primaria, educacion primaria, estudios primarios, primarios, primaria completa'],
    [
      10,
      'eso, secundaria obligatoria, educacion secundaria obligatoria, secundaria primera etapa, secundaria incompleta',
    ],
    [
      16,
      'secundaria, bachillerato, educacion secundaria, estudios secundarios, secundaria segunda etapa, bachiller, secundaria completa, preparatoria',
    ],
    [
      20,
      'universidad, universitarios, estudios universitarios, universitaria, grado, licenciatura, grado universitario, superiores, estudios superiores, superior',
    ],
    [22, 'master, maestria, posgrado, postgrado'],
    [24, 'doctorado, doctor'],
  ],
}
