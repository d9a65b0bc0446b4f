/** Keys closer together are one run of typing. */
export const BURST_MS = 1_500

/** `hasMoved`: the user went on by Tab since the last letter, and means what has the focus now. */
type TypingBurst = { lastAt: number; hasMoved: boolean }

/** Letters belong to the commands, to what is about to open, or for the rest of a run to nothing. */
export type Letters =
  | { is: 'commands' }
  | ({ is: 'kept'; text: string } & TypingBurst)
  | ({ is: 'ignored'; isTyped: boolean } & TypingBurst)

export const COMMANDS_ACTIVE: Letters = { is: 'commands' }

type Press = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'timeStamp'>

/** In a dialog that took the focus by itself, at another button or link, or elsewhere. */
export type PressedAt = 'question' | 'control' | 'other'

/** Whose letters are after a key, and whether it is consumed. Kept ones wait for what opens, or Escape. */
export function lettersAfter(state: Letters, press: Press, at: PressedAt): { state: Letters; isTaken: boolean } {
  if (state.is === 'commands' || isShortcut(press)) return { state, isTaken: false }
  // Where no text waits, Escape is the dialog's.
  if (press.key === 'Escape') return { state: COMMANDS_ACTIVE, isTaken: state.is === 'kept' || at !== 'question' }
  // By Tab the user must be able to reach and press what is on screen.
  if (press.key === 'Tab') return { state: { ...state, hasMoved: true }, isTaken: false }
  if (at === 'question' && press.key.length > 1 && !/^(?:Enter|Backspace)$/.test(press.key))
    return { state, isTaken: false }
  const isOver = press.timeStamp - state.lastAt > BURST_MS
  // A dialog that was answered before anything was typed leaves nothing to ignore.
  const isDone = isOver || (state.is === 'ignored' && !state.isTyped && at !== 'question')
  if (state.is === 'ignored' && isDone) return { state: COMMANDS_ACTIVE, isTaken: false }
  if (isIntended(state, press.key, at, isOver))
    return { state: state.is === 'kept' ? state : COMMANDS_ACTIVE, isTaken: false }
  const burst = { lastAt: press.timeStamp, hasMoved: false }
  if (state.is === 'kept')
    return { state: { ...state, ...burst, text: textAfter(state.text, press.key) }, isTaken: true }
  // An Enter without effect can be pressed again once the letters are long enough ago.
  return { state: press.key === 'Enter' ? state : { ...state, ...burst, isTyped: true }, isTaken: true }
}

/** What opened takes no text: the rest of the run is ignored. A dialog may also open in the middle of a word. */
export function lettersAtOpening(state: Letters, isDialog = false): Letters {
  const isTyped = state.is === 'kept' && state.text !== ''
  if (state.is !== 'kept' || !(isTyped || isDialog)) return COMMANDS_ACTIVE
  return { is: 'ignored', isTyped, lastAt: state.lastAt, hasMoved: false }
}

/** Whether a key presses what has the focus: what the user went to, or a dialog; but not at the end of a text. */
function isIntended(state: Letters, key: string, at: PressedAt, isOver: boolean): boolean {
  if (state.is === 'commands' || (key !== 'Enter' && key !== ' ') || at === 'other') return false
  const isTyped = state.is === 'kept' ? state.text !== '' : state.isTyped
  return state.hasMoved || (at === 'question' && (isOver || (key === 'Enter' && !isTyped)))
}

function textAfter(text: string, key: string): string {
  if (key === 'Backspace') return [...text].slice(0, -1).join('')
  if (key === 'Enter') return `${text}\n`
  return [...key].length === 1 ? text + key : text
}

/** Ctrl with Alt is AltGr. */
function isShortcut({ ctrlKey, altKey, metaKey }: Press): boolean {
  return metaKey || ctrlKey !== altKey
}
