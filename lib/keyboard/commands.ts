import { isCharacter } from './key-press'

type Command = {
  id: string
  group: 'move' | 'decide' | 'mark' | 'find' | 'go'
  /** The key is named as in `KeyboardEvent.key`; `g q` is a sequence of two. */
  key?: string
  /** This key works only while the list has the focus, because it scrolls elsewhere. */
  listKey?: string
  canRepeat?: true
}

/** The keys, the help and the palette all read this list. */
const COMMANDS = [
  { id: 'next', group: 'move', key: 'j', listKey: 'ArrowDown', canRepeat: true },
  { id: 'previous', group: 'move', key: 'k', listKey: 'ArrowUp', canRepeat: true },
  { id: 'open', group: 'move', listKey: 'Enter' },
  { id: 'back', group: 'move', key: 'Escape' },
  { id: 'reply', group: 'decide', key: 'r' },
  { id: 'note', group: 'decide', key: 'n' },
  // This key is only for the help, because the text field handles it itself.
  { id: 'send', group: 'decide', key: 'Mod+Enter' },
  { id: 'talked', group: 'decide', key: '1' },
  { id: 'noAnswer', group: 'decide', key: '2' },
  { id: 'callAgain', group: 'decide', key: '3' },
  { id: 'callNextDay', group: 'decide', key: '4' },
  { id: 'handled', group: 'decide', key: 'e' },
  { id: 'handleAll', group: 'decide', key: 'Shift+e' },
  { id: 'inProgress', group: 'decide', key: 'p' },
  { id: 'followUp', group: 'decide', key: 'h' },
  { id: 'renew', group: 'decide', key: 'u' },
  { id: 'dismissed', group: 'decide' },
  { id: 'assign', group: 'decide', key: 'a' },
  { id: 'undo', group: 'decide', key: 'z' },
  { id: 'mark', group: 'mark', key: 'x', listKey: ' ' },
  { id: 'markRange', group: 'mark', key: 'Shift+x' },
  { id: 'markAll', group: 'mark', key: '*' },
  { id: 'export', group: 'mark' },
  { id: 'search', group: 'find', key: '/' },
  { id: 'clear', group: 'find', key: 'c' },
  { id: 'palette', group: 'go', key: 'Mod+k' },
  { id: 'goToday', group: 'go', key: 'g t' },
  { id: 'goQuestions', group: 'go', key: 'g q' },
  { id: 'goDeclarations', group: 'go', key: 'g d' },
  { id: 'goInterest', group: 'go', key: 'g i' },
  { id: 'help', group: 'go', key: '?' },
] as const satisfies readonly Command[]

export type CommandId = (typeof COMMANDS)[number]['id']

/** Returns the keys to show for a command: none if it only has a character, and the user has switched character commands off. */
export function shownKeys(id: CommandId, hasCharacterCommands = true): readonly string[] {
  const command: Command | undefined = COMMANDS.find((other) => other.id === id)
  const keys = [command?.key, command?.listKey].filter((key) => key !== undefined)
  return keys.find((key) => hasCharacterCommands || !isCharacter(key))?.split(/[ +](?=.)/) ?? []
}

export function allCommands(): readonly (Command & { id: CommandId })[] {
  return COMMANDS
}

export type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'repeat' | 'timeStamp'
>

/**
 * The context says what has the keys: a field (`typing`), a menu or whatever else handled the key (`choosing`), something that is
 * loading (`opening`), the buttons after a call (`outcome`), or else what has the focus.
 */
type KeyContext = 'typing' | 'choosing' | 'opening' | 'outcome' | 'list' | 'control' | 'region' | 'page'

const SEQUENCE_MS = 1_500

/** A letter that follows this soon after one that was no command is part of the same typed text. */
const TYPING_GAP_MS = 600

/** The gap is longer where the user means to write: after the keys for a reply or a note, while something opens, and after a call. */
const WRITING_MS = 1_500

/** Reads one key after the other. A letter within typed text is no command, even if the text began in a field. */
export function createKeyReader({ isMac = false, areCharactersCommands = (): boolean => true } = {}) {
  let typingState = { lastAt: -Infinity, gapMs: 0 }
  let writingStartedAt = -Infinity
  let lastLetterAt = -Infinity
  let firstOfSequence: { key: string; pressedAt: number } | null = null
  const isWithinText = ({ timeStamp }: KeyPress) => timeStamp - typingState.lastAt < typingState.gapMs
  const read = (press: KeyPress, context: KeyContext): CommandId | null => {
    if (MODIFIERS.has(press.key)) return null
    const firstKey =
      firstOfSequence !== null && press.timeStamp - firstOfSequence.pressedAt < SEQUENCE_MS ? firstOfSequence.key : null
    firstOfSequence = null
    const key = toKeyName(press)
    if (context === 'typing' || press.key.length > 1) writingStartedAt = lastLetterAt = -Infinity
    if (key === null || (context === 'typing' && !key.startsWith('Mod+'))) return null
    // On a Mac Control edits the text of a field: with K it deletes the rest of the line.
    if (context === 'typing' && isMac && press.ctrlKey) return null
    const isInText = isWithinText(press)
    const isLetter = /^(?:Shift\+)?\p{L}$/u.test(key)
    const isAfterLetter = isInText && press.timeStamp - lastLetterAt < WRITING_MS
    if (isLetter) lastLetterAt = press.timeStamp
    const isHandledElsewhere = context === 'choosing' || context === 'opening'
    const isAfterWritingKey = press.timeStamp - writingStartedAt < WRITING_MS
    const isText =
      (isCharacter(key) && !areCharactersCommands()) ||
      (isLetter && (isInText || isHandledElsewhere || isAfterWritingKey)) ||
      // After a call only the digits of its outcomes are commands, and those only if no letter came just before.
      (context === 'outcome' && !key.startsWith('Mod+') && (isAfterLetter || !/^[1-4]$/.test(key)))
    if (isText || (key === ' ' && isInText)) {
      const isWriting = context === 'outcome' || context === 'opening'
      const gapMs = isWriting ? WRITING_MS : Math.max(TYPING_GAP_MS, isInText ? typingState.gapMs : 0)
      typingState = { lastAt: isLetter || key.length === 1 ? press.timeStamp : -Infinity, gapMs }
      return null
    }
    if (isHandledElsewhere) {
      if (key === 'Escape' || (key.length > 1 && context === 'choosing')) typingState.lastAt = -Infinity
      return null
    }
    const found =
      (firstKey !== null && findCommandByKey(`${firstKey} ${key}`, press, context)) ||
      findCommandByKey(key, press, context)
    // A user who has logged a call may still be writing about it.
    if (context === 'outcome') typingState = { lastAt: press.timeStamp, gapMs: WRITING_MS }
    else if (key.length > 1 || found) typingState.lastAt = -Infinity
    if (found === 'reply' || found === 'note') writingStartedAt = press.timeStamp
    if (found) return found
    if (FIRST_KEYS.has(key) && !press.repeat) firstOfSequence = { key, pressedAt: press.timeStamp }
    else if (isLetter) typingState = { lastAt: press.timeStamp, gapMs: TYPING_GAP_MS }
    return null
  }
  /** Tells whether a space or Enter continues typed text; a space also does after a letter that was a command. */
  const isAmidWords = (press: KeyPress): boolean =>
    isWithinText(press) || (press.key === ' ' && press.timeStamp - lastLetterAt < TYPING_GAP_MS)
  return { read, isAmidWords }
}

/** Tells whether this character is a command where nothing else handles keys. */
export function isCommandKey(press: KeyPress): boolean {
  const name = toKeyName(press)
  return isCharacter(press.key) && !press.repeat && allCommands().some(({ key }) => key === name)
}

const MODIFIERS = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock'])

const FIRST_KEYS = new Set(allCommands().flatMap(({ key }) => (key?.includes(' ') ? [key.charAt(0)] : [])))

function findCommandByKey(keyName: string, { repeat }: KeyPress, context: KeyContext): CommandId | null {
  // A scrolling region leaves Enter to the list, and the page all keys but the space, which scrolls it.
  const isForList =
    context === 'list' || (context === 'page' && keyName !== ' ') || (context === 'region' && keyName === 'Enter')
  const command = allCommands().find(({ key, listKey }) => key === keyName || (isForList && listKey === keyName))
  return command === undefined || (repeat && command.canRepeat !== true) ? null : command.id
}

/** Returns names such as `Shift+x`, `Mod+k` and `?`. Signs ignore Shift, which depends on the keyboard: `/` is Shift+7 on a Swedish one. */
function toKeyName({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyPress): string | null {
  if (altKey) return null
  const isLetter = /^\p{L}$/u.test(key)
  const name = isLetter ? key.toLowerCase() : key
  if (ctrlKey || metaKey) return shiftKey || (ctrlKey && metaKey) ? null : `Mod+${name}`
  return shiftKey && (isLetter || key.length > 1) ? `Shift+${name}` : name
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
