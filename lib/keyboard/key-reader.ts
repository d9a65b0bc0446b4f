import { allCommands, type CommandId } from './commands'
import { isCharacter, type KeyPress, toKeyName } from './key-press'

/** The keys go to a field, a menu, something that is loading, the buttons after a call, or else what has the focus. */
type KeyContext = 'typing' | 'choosing' | 'opening' | 'outcome' | 'list' | 'control' | 'region' | 'page'

const SEQUENCE_MS = 1_500

/** A letter so soon after one that was no command belongs to the same text. */
const TYPING_GAP_MS = 600

/** The gap is longer after the keys for a reply or a note, while something opens, and after a call. */
const WRITING_GAP_MS = 1_500
const MODIFIERS = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock'])
const FIRST_KEYS = new Set(allCommands().flatMap(({ key }) => (key?.includes(' ') ? [key.charAt(0)] : [])))

/** Reads one key after the other. A letter within a text is no command, even if the text began in a field. */
export function createKeyReader({ isMac = false, areCharactersCommands = (): boolean => true } = {}) {
  /** The text that the user seems to type outside of fields. */
  let text = { lastAt: -Infinity, gapMs: 0 }
  let writingStartedAt = -Infinity
  let lastLetterAt = -Infinity
  let firstOfSequence: { key: string; pressedAt: number } | null = null
  const isWithinText = ({ timeStamp }: KeyPress) => timeStamp - text.lastAt < text.gapMs
  const read = (press: KeyPress, context: KeyContext): CommandId | null => {
    if (MODIFIERS.has(press.key)) return null
    const { timeStamp } = press
    const sequence = firstOfSequence
    firstOfSequence = null
    const key = toKeyName(press)
    if (context === 'typing' || press.key.length > 1) {
      writingStartedAt = -Infinity
      lastLetterAt = -Infinity
    }
    // On a Mac Control edits the text of a field: with K it deletes the rest of the line.
    const isForField = context === 'typing' && (!key?.startsWith('Mod+') || (isMac && press.ctrlKey))
    if (key === null || isForField) return null
    const isInText = isWithinText(press)
    const isLetter = /^(?:Shift\+)?\p{L}$/u.test(key)
    const isAfterLetter = isInText && timeStamp - lastLetterAt < WRITING_GAP_MS
    if (isLetter) lastLetterAt = timeStamp
    const isHandledElsewhere = context === 'choosing' || context === 'opening'
    const isAfterWritingKey = timeStamp - writingStartedAt < WRITING_GAP_MS
    const isText =
      (isCharacter(key) && !areCharactersCommands()) ||
      (isLetter && (isInText || isHandledElsewhere || isAfterWritingKey)) ||
      // After a call only the digits of its outcomes are commands, and those only if no letter came just before.
      (context === 'outcome' && !key.startsWith('Mod+') && (isAfterLetter || !/^[1-4]$/.test(key)))
    if (isText || (key === ' ' && isInText)) {
      const isWriting = context === 'outcome' || context === 'opening'
      const gapMs = isWriting ? WRITING_GAP_MS : Math.max(TYPING_GAP_MS, isInText ? text.gapMs : 0)
      text = { lastAt: isLetter || key.length === 1 ? timeStamp : -Infinity, gapMs }
      return null
    }
    if (isHandledElsewhere) {
      if (key === 'Escape' || (key.length > 1 && context === 'choosing')) text.lastAt = -Infinity
      return null
    }
    const isSequence = sequence !== null && timeStamp - sequence.pressedAt < SEQUENCE_MS
    const found =
      (isSequence && findCommand(`${sequence.key} ${key}`, press, context)) || findCommand(key, press, context)
    // A user who has logged a call may still be writing about it.
    if (context === 'outcome') text = { lastAt: timeStamp, gapMs: WRITING_GAP_MS }
    else if (key.length > 1 || found) text.lastAt = -Infinity
    if (found === 'reply' || found === 'note') writingStartedAt = timeStamp
    if (found) return found
    if (FIRST_KEYS.has(key) && !press.repeat) firstOfSequence = { key, pressedAt: timeStamp }
    else if (isLetter) text = { lastAt: timeStamp, gapMs: TYPING_GAP_MS }
    return null
  }
  /** Tells whether a space or Enter continues a text; a space also does after a letter that was a command. */
  const isAmidWords = (press: KeyPress): boolean =>
    isWithinText(press) || (press.key === ' ' && press.timeStamp - lastLetterAt < TYPING_GAP_MS)
  return { read, isAmidWords }
}

/** Tells whether this character is a command where nothing else handles keys. */
export function isCommandKey(press: KeyPress): boolean {
  const name = toKeyName(press)
  return isCharacter(press.key) && !press.repeat && allCommands().some(({ key }) => key === name)
}

function findCommand(keyName: string, { repeat }: KeyPress, context: KeyContext): CommandId | null {
  // A scrolling region leaves Enter to the list, and the page all keys but the space, which scrolls it.
  const isForList =
    context === 'list' || (context === 'page' && keyName !== ' ') || (context === 'region' && keyName === 'Enter')
  const command = allCommands().find(({ key, listKey }) => key === keyName || (isForList && listKey === keyName))
  return command === undefined || (repeat && command.canRepeat !== true) ? null : command.id
}

export function findKeyContext(target: EventTarget | null): KeyContext {
  if (!(target instanceof HTMLElement)) return 'page'
  if (target.isContentEditable || /^(?:TEXTAREA|SELECT)$/.test(target.tagName)) return 'typing'
  if (target instanceof HTMLInputElement) return /^(?:checkbox|radio|button)$/.test(target.type) ? 'control' : 'typing'
  if (target.getAttribute('role') === 'listbox') return 'list'
  if (target.dataset.typed === 'call') return 'outcome'
  if (target.matches('a, button, summary, [role^=menuitem]')) return 'control'
  return target.matches('html, body, [tabindex="-1"]') ? 'page' : 'region'
}
