/** Asks one question at a time: while one is in flight, only the newest of those that come waits for its end. */
export function newestFirst<Question, Answer>(
  send: (question: Question) => Promise<Answer>,
  show: (answer: Answer) => void,
): (question: Question) => void {
  let isBusy = false
  let next: { readonly question: Question } | null = null
  const go = async (question: Question): Promise<void> => {
    isBusy = true
    const answer = await send(question)
    isBusy = false
    const waiting = next
    next = null
    // What was overtaken is not shown: it would be of other levers than those on the page.
    if (waiting === null) show(answer)
    else await go(waiting.question)
  }
  return (question) => {
    if (isBusy) next = { question }
    else void go(question)
  }
}
