/** What acts where the pointer is let go. A slider and a histogram act while they are dragged, and want their answers meanwhile. */
const PRESSED = 'button, summary, a, label, input[type="checkbox"]'

/** Milliseconds after which the end of a touch has become a click. */
const CLICK_MS = 50

let held: Promise<void> | null = null
let letGo: () => void = () => undefined

/**
 * Watches presses until what it returns is called. An answer that came between the press and the release would move what lies below
 * it, and the click would hit nothing, or something else.
 */
export function watchPresses(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const press = ({ target }: Event) => {
    if (!(target instanceof Element) || target.closest(PRESSED) === null) return
    clearTimeout(timer)
    held ??= new Promise((settle) => {
      letGo = () => {
        held = null
        settle()
      }
    })
  }
  const release = () => {
    clearTimeout(timer)
    timer = setTimeout(letGo, CLICK_MS)
  }
  // A window that loses the focus is not told of the release.
  const releases = ['pointerup', 'pointercancel', 'blur']
  addEventListener('pointerdown', press)
  for (const name of releases) addEventListener(name, release)
  return () => {
    removeEventListener('pointerdown', press)
    for (const name of releases) removeEventListener(name, release)
    letGo()
  }
}

/** Resolves at once, or as soon as nothing is pressed. */
export const nothingPressed = async (): Promise<void> => {
  while (held !== null) await held
}
