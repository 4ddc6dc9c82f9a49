/** Labels by which surveys mark that somebody gave no answer, or an answer off the scale ("other"), in the languages of the scales. */

import { wordsOf } from './folded-words.ts'

/** That there is no answer, in any of the languages: a survey may mark it in another than its own. */
const NO_ANSWERS = `
  na, n a, nan, null, nil, missing, unknown, unspecified, not specified, not stated, not available, not asked, not applicable,
  not relevant, inapplicable, does not apply, doesn t apply, no answer, no response, no opinion, no reply, nonresponse, no preference,
  don t know, dont know, do not know, i don t know, i do not know, dk, dk na, dk nr, don t know no answer, don t know not applicable,
  don t know refused, refused, refusal, refuse to answer, declined, declined to answer, decline to answer, skipped,
  prefer not to say, prefer not to answer, prefer not to disclose, prefer not to state, prefer not to respond, rather not say,
  i prefer not to say, i prefer not to answer, i d rather not say, would rather not say, can t say, cannot say, can t choose,
  cannot choose, can t recall, don t remember, do not remember, don t recall, can t remember, hard to say, difficult to say,
  no idea, nr, n r, nr dk,
  no sabe, no contesta, ns nc, ns, nc, n s, n c, n s n c, nsnc, ns nr, no lo sabe, no lo se, no se, no responde, no sabe no contesta, sin respuesta,
  no aplica, no procede, no aplicable, no recuerda, prefiero no decirlo, prefiero no contestar, prefiero no responder, sin opinion, s n, s d,
  no ho sap, no ho se, no sap, no sap no contesta, no ho recorda, no respon, sense resposta, sense opinio,
  no aplicable, no procedeix, prefereixo no dir ho, prefereixo no contestar,
  weiss nicht, weiss ich nicht, ich weiss nicht, keine angabe, keine angaben, k a, ka, keine antwort, keine meinung,
  weiss nicht keine angabe, verweigert, nicht zutreffend, entfallt, mochte ich nicht sagen, wn ka, wn,
  kann ich nicht beurteilen, kann ich nicht sagen,
  ne sait pas, ne sais pas, je ne sais pas, nsp, sans reponse, sans opinion, non reponse, ne se prononce pas, refus, refuse,
  ne repond pas, prefere ne pas repondre, je prefere ne pas repondre, non concerne, sans objet, non applicable, nsp nrp, nrp, nspp, ne veut pas repondre,
  non so, non sa, non saprei, non risponde, nessuna risposta, non sa non risponde, preferisco non rispondere, non applicabile,
  nessuna opinione, rifiuta, non sa non indica, non indica,
  nao sei, nao sabe, nao responde, nao respondeu, nao sabe nao responde, sem resposta, sem opiniao, prefiro nao responder,
  prefiro nao dizer, nao se aplica, nao aplicavel, ns nr,
  weet niet, weet ik niet, ik weet het niet, geen antwoord, geen mening, wil niet zeggen, wil ik niet zeggen, zeg ik liever niet,
  niet van toepassing, nvt, n v t, weet niet geen antwoord, wn ga,
  nie wiem, trudno powiedziec, odmowa, odmowa odpowiedzi, brak odpowiedzi, nie dotyczy, brak danych, brak opinii, nie mam zdania,
  nie pamietam, wole nie odpowiadac,
  わからない, 分からない, わかりません, 無回答, 回答しない, 答えたくない, 回答したくない, 該当しない, 該当なし, 非該当, 不明,
  不知道, 不清楚, 说不清, 说不清楚, 說不清, 拒绝回答, 拒絕回答, 拒答, 未回答, 无回答, 無回答, 不适用, 不適用, 难以回答, 難以回答, 不愿回答,
  모름, 모르겠다, 잘 모르겠다, 무응답, 응답 거절, 해당 없음,
  لا أعرف, لا أدري, لا أعلم, أرفض الإجابة, رفض الإجابة, بدون إجابة, لا إجابة, لا توجد إجابة, لا ينطبق, أفضل عدم الإجابة, لا رأي لي
`

/** An answer off the scale. */
const OTHER_ANSWERS = `
  other, others, other please specify, other specify, other answer, none of these, none of the above,
  otro, otra, otros, otras, altre, altra, altres, sonstige, sonstiges, andere, anderes, autre, autres, altro, altra, altri,
  outro, outra, outros, anders, overig, overige, anders namelijk, inne, inny, inna, その他, 其他, 기타, أخرى, غير ذلك
`

const phrasesOf = (list: string): string[] => list.split(',').map((phrase) => wordsOf(phrase).join(' '))

const SILENT = new Set(phrasesOf(NO_ANSWERS))
const OFF_SCALE = new Set([...SILENT, ...phrasesOf(OTHER_ANSWERS)])

/** Whether a text means no answer, or an answer off the scale. Marks without a letter or digit ("-", "?") do. */
export function isNoAnswer(text: string): boolean {
  if (!/[\p{L}\p{N}\p{S}]/u.test(text)) return true
  return isAmong(OFF_SCALE, text)
}

/** Whether the words of a text say that there is no answer. */
export function saysNoAnswer(text: string): boolean {
  return isAmong(SILENT, text)
}

function isAmong(phrases: ReadonlySet<string>, text: string): boolean {
  const words = wordsOf(text).join(' ')
  return phrases.has(words) || phrases.has(words.replace(/^\d+ /, ''))
}
