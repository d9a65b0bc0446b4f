import { createShownState, useShown } from '@/components/ui/shown-state'
import { keyPlaceOf } from '@/lib/keyboard/commands'

/** Once one of these has the focus, what was asked for is open. */
const PLACES = { text: '[data-typed], [data-note], [data-confirm]', dialog: 'dialog[open], [data-confirm]' } as const

type Opening = { kind: keyof typeof PLACES; onEscape: () => void }

const opening = createShownState<Opening | null>(null)

/** From now until what opens has the focus, keys do nothing, so that no letter decides. Returns what ends that earlier. */
export function beginOpening(kind: Opening['kind'], onEscape: () => void): () => void {
  if (document.activeElement?.closest(PLACES[kind])) return () => {}
  const own = { kind, onEscape }
  opening.show(own)
  return () => {
    if (opening.read() === own) opening.show(null)
  }
}

export function cancelOpening(): void {
  const now = opening.read()
  opening.show(null)
  now?.onEscape()
}

export function useIsOpening(): boolean {
  return useShown(opening, (now) => now !== null)
}

/** A reply, note or dialog is on its way or has the focus. */
export function isWriting(): boolean {
  const isOpen = document.activeElement?.closest(`${PLACES.text}, ${PLACES.dialog}`)
  return opening.read() !== null || Boolean(isOpen)
}

export function endOpeningAt(target: EventTarget | null): void {
  const now = opening.read()
  if (now !== null && target instanceof Element && target.closest(PLACES[now.kind]) !== null) opening.show(null)
}

/** Whether a key comes while something opens, and so does nothing. Escape cancels, Tab leads to the button that does; another field keeps its letters. */
export function swallowKey(event: KeyboardEvent): boolean {
  const now = opening.read()
  if (now === null || event.key === 'Tab' || isShortcut(event) || isOfAnother(event.target, now)) return false
  event.preventDefault()
  event.stopImmediatePropagation()
  if (event.key === 'Escape') cancelOpening()
  return true
}

function isOfAnother(target: EventTarget | null, { kind }: Opening): boolean {
  if (target instanceof Element && target.closest('.opening-notice') !== null) return true
  return kind === 'text' && keyPlaceOf(target) === 'typing'
}

/** Ctrl with Alt is AltGr. */
function isShortcut({ ctrlKey, altKey, metaKey }: KeyboardEvent): boolean {
  return metaKey || ctrlKey !== altKey
}

/** A space or Enter of a text that one goes on writing must not answer a question that came up meanwhile. */
export function answersQuestion({ key, target }: KeyboardEvent): boolean {
  if (key !== ' ' && key !== 'Enter') return false
  return target instanceof Element && keyPlaceOf(target) === 'control' && target.closest(PLACES.dialog) !== null
}
