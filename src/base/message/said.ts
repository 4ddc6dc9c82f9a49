/** A message with something in it that is no string yet, such as a name that each form of a report escapes in its own way. */
export type Said<N> = readonly (string | N)[]

/** A message from a template. */
export const said = <N>(strings: TemplateStringsArray, ...values: readonly (string | N | Said<N>)[]): Said<N> =>
  strings.flatMap((part, i) => (i === 0 ? [part] : [values[i - 1]! as string | N, part])).flat() as Said<N>
