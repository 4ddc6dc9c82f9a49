/** A name of a column, which breaks behind its dots before it breaks elsewhere. */
export const Name = ({ text }: { readonly text: string }) => (
  <bdi>{text.split(/(?<=[._])/).flatMap((part, i) => (i === 0 ? [part] : [<wbr key={i} />, part]))}</bdi>
)
