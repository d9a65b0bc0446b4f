/** Keys that follow each other sooner than this are one run of typing. */
export const RUN_MS = 1_500

/** Whose the letters are: commands', those of what is about to open, or for the rest of a run nobody's. */
export type Letters =
  | { is: 'commands' }
  | { is: 'kept'; text: string; lastAt: number }
  | { is: 'ignored'; lastAt: number }

export const COMMANDS_OWN: Letters = { is: 'commands' }

type Press = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'timeStamp'>

/**
 * Whose the letters are after a key, and whether that key is taken from everybody else. What is kept waits for as long as it takes:
 * only what opens, or Escape, ends it, and never the time that has passed.
 */
export function lettersAfter(state: Letters, press: Press): { state: Letters; isTaken: boolean } {
  if (state.is === 'commands' || isShortcut(press)) return { state, isTaken: false }
  if (press.key === 'Escape') return { state: COMMANDS_OWN, isTaken: true }
  // Whoever gets around by Tab must be able to reach what is on screen.
  if (press.key === 'Tab') return { state, isTaken: false }
  const lastAt = press.timeStamp
  if (state.is === 'kept')
    return { state: { is: 'kept', text: textAfter(state.text, press.key), lastAt }, isTaken: true }
  if (press.timeStamp - state.lastAt > RUN_MS) return { state: COMMANDS_OWN, isTaken: false }
  return { state: { is: 'ignored', lastAt }, isTaken: true }
}

/** What opened takes no text: what was being typed on its way is nobody's until the run is over. */
export function lettersAtOpening(state: Letters): Letters {
  return state.is === 'kept' && state.text !== '' ? { is: 'ignored', lastAt: state.lastAt } : COMMANDS_OWN
}

function textAfter(text: string, key: string): string {
  if (key === 'Backspace') return [...text].slice(0, -1).join('')
  if (key === 'Enter') return `${text}\n`
  return [...key].length === 1 ? text + key : text
}

/** Ctrl with Alt is AltGr, which writes signs. */
function isShortcut({ ctrlKey, altKey, metaKey }: Press): boolean {
  return metaKey || ctrlKey !== altKey
}
