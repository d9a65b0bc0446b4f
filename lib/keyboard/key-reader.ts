import { type CommandId, COMMANDS } from './commands'
import { isCharacter, type KeyPress, toKeyName } from './key-press'

/** The keys go to a field, a menu, something that is loading, the buttons after a call, or else what has the focus. */
type KeyContext = 'typing' | 'choosing' | 'opening' | 'outcome' | 'list' | 'control' | 'region' | 'page'

const SEQUENCE_MS = 1_500
/** A letter so soon after one that was no command, or after a key that begins a text, belongs to the same text. */
const TYPING_GAP_MS = 1_000
const MODIFIERS = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock'])
const FIRST_KEYS = new Set(COMMANDS.flatMap(({ key }) => (key?.includes(' ') ? [key.charAt(0)] : [])))

type KeyReaderOptions = { isMac: boolean; areCharactersCommands: () => boolean }

/** Creates a function that reads one key after the other. A letter within a text is no command. */
export function createKeyReader({ isMac, areCharactersCommands }: KeyReaderOptions) {
  /** Until this moment a key continues the text that the user seems to type outside of fields. */
  let textEndsAt = 0
  /** Until this moment a letter may belong to a reply, a note or what is said about a call. */
  let writingEndsAt = 0
  let firstOfSequence: { key: string; pressedAt: number } | null = null

  return (press: KeyPress, context: KeyContext): CommandId | null => {
    if (MODIFIERS.has(press.key)) return null
    const { timeStamp } = press
    const key = toKeyName(press)
    const sequence = firstOfSequence
    firstOfSequence = null
    if (context === 'typing' || press.key.length > 1) writingEndsAt = 0
    // On a Mac Control edits the text of a field: with K it deletes the rest of the line.
    const isForField = context === 'typing' && (!key?.startsWith('Mod+') || (isMac && press.ctrlKey))
    if (key === null || isForField) return null

    const isLetter = /^(?:Shift\+)?\p{L}$/u.test(key)
    const isInText = timeStamp < textEndsAt
    const isHandledElsewhere = context === 'choosing' || context === 'opening'
    const isText =
      (isCharacter(key) && !areCharactersCommands()) ||
      (isLetter && (isInText || isHandledElsewhere || timeStamp < writingEndsAt)) ||
      (key === ' ' && isInText) ||
      // After a call only the digits of its outcomes are commands, and those only if no letter came just before.
      (context === 'outcome' && !key.startsWith('Mod+') && (isInText || !/^[1-4]$/.test(key)))
    if (isText) {
      textEndsAt = isLetter || key.length === 1 ? timeStamp + TYPING_GAP_MS : 0
      return null
    }
    if (isHandledElsewhere) {
      if (key === 'Escape' || (key.length > 1 && context === 'choosing')) textEndsAt = 0
      return null
    }

    let id: CommandId | null = null
    if (sequence !== null && timeStamp - sequence.pressedAt < SEQUENCE_MS)
      id = findCommandId(`${sequence.key} ${key}`, press, context)
    id ??= findCommandId(key, press, context)
    if (id === 'reply' || id === 'note' || context === 'outcome') writingEndsAt = timeStamp + TYPING_GAP_MS
    if (key.length > 1 || id !== null) textEndsAt = 0
    if (id !== null) return id
    if (FIRST_KEYS.has(key) && !press.repeat) firstOfSequence = { key, pressedAt: timeStamp }
    else if (isLetter) textEndsAt = timeStamp + TYPING_GAP_MS
    return null
  }
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
