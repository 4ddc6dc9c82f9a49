import type { Language } from './language.ts'

export const DUTCH: Language = {
  degrees: [
    [7, 'helemaal, volledig, geheel, volkomen, absoluut, zeker, zeker wel, totaal'],
    [6, 'extreem, uiterst, buitengewoon'],
    [4, 'zeer, heel, erg, sterk, heel erg, veel, heel veel'],
    [3, 'ja'],
    [2, 'redelijk, tamelijk, vrij, enigszins, gedeeltelijk, deels, waarschijnlijk wel, nogal'],
    [1, 'een beetje, iets, lichtelijk'],
    [-1, 'niet zo, niet zeer, niet erg, weinig, niet echt, nauwelijks, niet bijzonder'],
    [-2, 'waarschijnlijk niet, eerder niet'],
    [-3, 'niet, nee'],
    [-5, 'helemaal niet, totaal niet, absoluut niet, niets, geen, helemaal niets'],
    [-7, 'zeker niet'],
  ],
  fillers: 'ik, ben, het, is, mee, er, met, de, voel, me',
  middle:
    'neutraal, gemengd, misschien, hangt ervan af, onbeslist, niet eens niet oneens, niet eens en niet oneens, niet mee eens niet mee oneens, twijfel, niet tevreden niet ontevreden, niet tevreden en niet ontevreden, niet ontevreden niet tevreden',
  neither: 'noch',
  prefixes: 'on, in, im, des',
  poles: [
    [
      [3, 'eens, voor, waar'],
      [-3, 'oneens, tegen, onwaar'],
    ],
    [
      [3, 'tevreden, gelukkig'],
      [-3, 'ontevreden, ongelukkig'],
    ],
    [
      [6, 'uitstekend, uitmuntend, perfect'],
      [3, 'goed, goede, positief'],
      [1, 'voldoende, bevredigend'],
      [0, 'matig, gemiddeld, redelijk'],
      [-3, 'slecht, slechte, onvoldoende, negatief'],
      [-6, 'verschrikkelijk, vreselijk'],
    ],
    [
      [3, 'waarschijnlijk'],
      [-3, 'onwaarschijnlijk'],
      [-7, 'onmogelijk'],
    ],
    [
      [3, 'makkelijk, gemakkelijk'],
      [-3, 'moeilijk'],
    ],
    [
      [3, 'hoog, hoge'],
      [0, 'midden, gemiddeld, middel, middelmatig'],
      [-3, 'laag, lage'],
    ],
    [
      [3, 'beter, verbeterd, meer, toegenomen'],
      [0, 'gelijk, hetzelfde, gelijk gebleven, onveranderd, even goed'],
      [-3, 'slechter, verslechterd, minder, afgenomen'],
    ],
  ],
  steps: [
    [
      [-5, 'zeer klein, heel klein'],
      [-3, 'klein'],
      [0, 'middelgroot, gemiddeld'],
      [3, 'groot'],
      [4, 'zeer groot, heel groot'],
    ],
    [
      [-5, 'extreem links, uiterst links'],
      [-3, 'links'],
      [-1, 'centrum links'],
      [0, 'centrum, midden'],
      [1, 'centrum rechts'],
      [3, 'rechts'],
      [5, 'extreem rechts, uiterst rechts'],
    ],
  ],
  frequency: [
    [0, 'nooit'],
    [5, 'bijna nooit, zeer zelden, vrijwel nooit'],
    [10, 'zelden'],
    [20, 'soms, af en toe, nu en dan, zo nu en dan'],
    [50, 'vaak, regelmatig, dikwijls'],
    [60, 'heel vaak, zeer vaak, meestal, gewoonlijk'],
    [70, 'bijna altijd, vrijwel altijd'],
    [80, 'altijd'],
  ],
  education: [
    [0, 'geen opleiding, geen'],
    [7, 'basisonderwijs, lager onderwijs, basisschool'],
    [10, 'vmbo, mavo, lbo, vmbo mavo'],
    [14, 'havo'],
    [15, 'vwo, gymnasium, havo vwo'],
    [17, 'mbo'],
    [20, 'hbo, bachelor, hbo bachelor'],
    [22, 'wo, master, universiteit, universitair, wo master'],
    [24, 'doctoraat, phd, gepromoveerd'],
  ],
}
