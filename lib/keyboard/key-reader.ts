import { type CommandId, COMMANDS } from './commands'
import { isCharacter, type KeyPress, toKeyName } from './key-press'

/** Keys go to a field, a menu, code that is loading, the outcomes of a call, or else to what has the focus. */
type KeyContext = 'typing' | 'choosing' | 'opening' | 'outcome' | 'list' | 'control' | 'region' | 'page'

const MAX_SEQUENCE_MS = 1_500
/** A letter within this time of one that was no command belongs to the same text. */
const TYPING_GAP_MS = 600
/** The gap is longer after the keys for a reply or a note, while code loads, and after a call is logged. */
const WRITING_GAP_MS = 1_500
const NO_TEXT = { endsAt: 0, gapMs: 0 }
const MODIFIERS = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock'])
const SEQUENCE_FIRST_KEYS = new Set(COMMANDS.flatMap(({ key }) => (key?.includes(' ') ? [key.charAt(0)] : [])))

type KeyReaderOptions = { isMac: boolean; areCharactersCommands: () => boolean }

/** Reads one key after the other. A letter within a text is no command, even if the text began in a field. */
export function createKeyReader({ isMac, areCharactersCommands }: KeyReaderOptions) {
  /** The text that the user seems to type outside of fields. A key pressed before `endsAt` continues it. */
  let typedText = NO_TEXT
  /** The user may write a reply or a note before its field is open, until this moment. */
  let writingEndsAt = 0
  let lastLetterAt = -Infinity
  let firstOfSequence: { key: string; pressedAt: number } | null = null

  const isWithinText = ({ timeStamp }: KeyPress) => timeStamp < typedText.endsAt
  const extendText = ({ timeStamp }: KeyPress, gapMs: number) => {
    typedText = { endsAt: timeStamp + gapMs, gapMs }
  }

  function read(press: KeyPress, context: KeyContext): CommandId | null {
    if (MODIFIERS.has(press.key)) return null
    const { timeStamp } = press
    const key = toKeyName(press)
    const sequence = firstOfSequence
    firstOfSequence = null
    if (context === 'typing' || press.key.length > 1) {
      writingEndsAt = 0
      lastLetterAt = -Infinity
    }
    // On a Mac Control edits the text of a field: with K it deletes the rest of the line.
    const isForField = context === 'typing' && (!key?.startsWith('Mod+') || (isMac && press.ctrlKey))
    if (key === null || isForField) return null

    const isLetter = /^(?:Shift\+)?\p{L}$/u.test(key)
    const isInText = isWithinText(press)
    const isAfterLetter = isInText && timeStamp - lastLetterAt < WRITING_GAP_MS
    if (isLetter) lastLetterAt = timeStamp
    const isHandledElsewhere = context === 'choosing' || context === 'opening'
    const isText =
      (isCharacter(key) && !areCharactersCommands()) ||
      (isLetter && (isInText || isHandledElsewhere || timeStamp < writingEndsAt)) ||
      (key === ' ' && isInText) ||
      // After a call only the digits of its outcomes are commands, and those only if no letter came just before.
      (context === 'outcome' && !key.startsWith('Mod+') && (isAfterLetter || !/^[1-4]$/.test(key)))
    if (isText) {
      const isWriting = context === 'outcome' || context === 'opening'
      const textGapMs = isInText ? Math.max(TYPING_GAP_MS, typedText.gapMs) : TYPING_GAP_MS
      if (isLetter || key.length === 1) extendText(press, isWriting ? WRITING_GAP_MS : textGapMs)
      else typedText = NO_TEXT
      return null
    }
    if (isHandledElsewhere) {
      if (key === 'Escape' || (key.length > 1 && context === 'choosing')) typedText = NO_TEXT
      return null
    }

    let id: CommandId | null = null
    if (sequence !== null && timeStamp - sequence.pressedAt < MAX_SEQUENCE_MS)
      id = findCommandId(`${sequence.key} ${key}`, press, context)
    id ??= findCommandId(key, press, context)
    // A user who has logged a call may still be writing about it.
    if (context === 'outcome') extendText(press, WRITING_GAP_MS)
    else if (key.length > 1 || id !== null) typedText = NO_TEXT
    if (id === 'reply' || id === 'note') writingEndsAt = timeStamp + WRITING_GAP_MS
    if (id !== null) return id
    if (SEQUENCE_FIRST_KEYS.has(key) && !press.repeat) firstOfSequence = { key, pressedAt: timeStamp }
    else if (isLetter) extendText(press, TYPING_GAP_MS)
    return null
  }

  /** Tells whether a space or Enter continues a text. After a letter that was a command, a space does, too. */
  function isAmidWords(press: KeyPress): boolean {
    return isWithinText(press) || (press.key === ' ' && press.timeStamp - lastLetterAt < TYPING_GAP_MS)
  }

  return { read, isAmidWords }
}

/** Tells whether a character is a command on a page where nothing else handles it. */
export function isCommandKey(press: KeyPress): boolean {
  const name = toKeyName(press)
  return isCharacter(press.key) && !press.repeat && COMMANDS.some(({ key }) => key === name)
}

function findCommandId(keyName: string, { repeat }: KeyPress, context: KeyContext): CommandId | null {
  // A scrolling region leaves Enter to the list, and the page all keys but the space, which scrolls it.
  const isForList =
    context === 'list' || (context === 'page' && keyName !== ' ') || (context === 'region' && keyName === 'Enter')
  const command = COMMANDS.find(({ key, listKey }) => key === keyName || (isForList && listKey === keyName))
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
