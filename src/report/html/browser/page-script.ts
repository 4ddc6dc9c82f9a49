/** What the page does besides being read: tooltips, the arrow keys, pictures as files, open tables in print. */

const TIPPED = '[data-tip]'
const MARGIN = 12

const tip = document.getElementById('tip') as HTMLElement
let current: Element | null = null

/** At a point of the window, or below the mark itself. */
function show(mark: Element, at?: { readonly x: number; readonly y: number }): void {
  if (current !== mark) {
    hide()
    current = mark
    mark.classList.add('current')
    tip.textContent = mark.getAttribute('data-tip')
    tip.hidden = false
  }
  const box = mark.getBoundingClientRect()
  const { x, y } = at ?? { x: box.left + box.width / 2, y: box.bottom - MARGIN / 2 }
  const { offsetWidth: width, offsetHeight: height } = tip
  const below = y + MARGIN + height < window.innerHeight ? y + MARGIN : y - MARGIN - height
  tip.style.left = `${Math.max(4, Math.min(x + MARGIN, document.documentElement.clientWidth - width - 4))}px`
  tip.style.top = `${Math.max(4, below)}px`
}

function hide(): void {
  current?.classList.remove('current')
  current = null
  tip.hidden = true
}

const markAt = (event: Event): Element | null => (event.target as Element).closest?.(TIPPED) ?? null

for (const kind of ['pointermove', 'click'] as const)
  document.addEventListener(kind, (event) => {
    const mark = markAt(event)
    if (mark !== null) show(mark, { x: event.clientX, y: event.clientY })
    else if (current !== null) hide()
  })

/** How far each key goes. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  ArrowDown: 1,
  ArrowLeft: -1,
  ArrowUp: -1,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
}

document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') hide()
  const step = STEPS[event.key]
  const picture = (event.target as Element).closest?.('svg[tabindex]')
  if (step === undefined || !picture || event.altKey || event.ctrlKey || event.metaKey) return
  const marks = [...picture.querySelectorAll(TIPPED)]
  if (marks.length === 0) return
  const before = current === null ? -1 : marks.indexOf(current)
  const next = before < 0 && step === -1 ? marks.length - 1 : Math.max(0, Math.min(marks.length - 1, before + step))
  const mark = marks[next] as Element
  event.preventDefault()
  mark.scrollIntoView({ block: 'nearest' })
  show(mark)
})
document.addEventListener('focusout', hide)
document.addEventListener(
  'scroll',
  () => current !== null && !document.activeElement?.contains(current) && hide(),
  true,
)

// A browser would show them beside the tooltip.
for (const title of document.querySelectorAll(`${TIPPED} > title`)) title.remove()

/** What a picture takes from the style of the page. */
const LOOKS = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-opacity',
  'opacity',
  'paint-order',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
]
const SVG = 'http://www.w3.org/2000/svg'

function svgElement(name: string, attributes: Readonly<Record<string, string | number>>, text = ''): SVGElement {
  const element = document.createElementNS(SVG, name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value))
  element.textContent = text
  return element
}

function takeLooks(from: Element, to: Element): void {
  const style = getComputedStyle(from)
  for (const look of LOOKS) to.setAttribute(look, style.getPropertyValue(look))
  for (const name of ['class', 'data-tip', 'tabindex', 'role', 'aria-label', 'aria-labelledby'])
    to.removeAttribute(name)
  for (const [i, child] of [...from.children].entries()) takeLooks(child, to.children[i] as Element)
}

/** The pictures of a figure that are shown now, with their titles, as one picture with a background. */
function asSvg(figure: Element): string {
  const shown = [...figure.querySelectorAll('svg:not(.icon), .panel')].filter(
    (one) => one.getBoundingClientRect().width > 0,
  )
  const boxes = shown.map((one) => one.getBoundingClientRect())
  const left = Math.min(...boxes.map((box) => box.left))
  const top = Math.min(...boxes.map((box) => box.top))
  const width = Math.max(...boxes.map((box) => box.right)) - left
  const height = Math.max(...boxes.map((box) => box.bottom)) - top
  const whole = svgElement('svg', { xmlns: SVG, width, height, viewBox: `0 0 ${width} ${height}` })
  whole.append(
    svgElement('title', {}, figure.querySelector('figcaption')?.textContent ?? ''),
    svgElement('rect', { width, height, fill: getComputedStyle(document.body).backgroundColor }),
  )
  for (const [i, one] of shown.entries()) {
    const box = boxes[i] as DOMRect
    const place = { x: box.left - left, y: box.top - top }
    if (one instanceof SVGElement) {
      const copy = one.cloneNode(true) as SVGElement
      takeLooks(one, copy)
      for (const [key, value] of Object.entries({ ...place, width: box.width, height: box.height }))
        copy.setAttribute(key, String(value))
      whole.append(copy)
    } else {
      const title = svgElement('text', { x: place.x, y: place.y + box.height * 0.8 }, one.textContent ?? '')
      const style = getComputedStyle(one)
      for (const look of ['font-family', 'font-size', 'font-weight'])
        title.setAttribute(look, style.getPropertyValue(look))
      title.setAttribute('fill', style.color)
      whole.append(title)
    }
  }
  return new XMLSerializer().serializeToString(whole)
}

for (const figure of document.querySelectorAll('figure.picture')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = document.body.dataset.save ?? ''
  button.addEventListener('click', () => {
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob([asSvg(figure)], { type: 'image/svg+xml' }))
    link.download = `${figure.id}.svg`
    link.click()
    setTimeout(() => URL.revokeObjectURL(link.href), 1000)
  })
  figure.append(button)
}

// On paper nothing can be unfolded; tables of many pages stay folded there.
let unfolded: HTMLDetailsElement[] = []
window.addEventListener('beforeprint', () => {
  unfolded = [...document.querySelectorAll<HTMLDetailsElement>('details:not([open], .long)')]
  for (const details of unfolded) details.open = true
})
window.addEventListener('afterprint', () => {
  for (const details of unfolded) details.open = false
})
