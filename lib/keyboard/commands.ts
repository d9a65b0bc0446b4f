import { BURST_MS } from './letters'

export const COMMAND_GROUPS = ['move', 'decide', 'mark', 'find', 'go'] as const
type CommandGroup = (typeof COMMAND_GROUPS)[number]

type Command = {
  id: string
  group: CommandGroup
  /** As `KeyboardEvent.key`, the same signs on every keyboard; `g q` is one after the other. */
  keys: readonly string[]
  /** Only while the focus is in the list, where they would otherwise scroll. */
  listKeys?: readonly string[]
  repeats?: true
}

/** The keys, the help and the palette are all read from here. */
const COMMANDS = [
  { id: 'next', group: 'move', keys: ['j'], listKeys: ['ArrowDown'], repeats: true },
  { id: 'previous', group: 'move', keys: ['k'], listKeys: ['ArrowUp'], repeats: true },
  { id: 'open', group: 'move', keys: [], listKeys: ['Enter'] },
  { id: 'back', group: 'move', keys: ['Escape'] },
  { id: 'reply', group: 'decide', keys: ['r'] },
  // For the help: the field that is written in takes this key itself.
  { id: 'send', group: 'decide', keys: ['Mod+Enter'] },
  { id: 'talked', group: 'decide', keys: ['1'] },
  { id: 'noAnswer', group: 'decide', keys: ['2'] },
  { id: 'callAgain', group: 'decide', keys: ['3'] },
  { id: 'handled', group: 'decide', keys: ['e'] },
  { id: 'handleAll', group: 'decide', keys: ['Shift+e'] },
  { id: 'inProgress', group: 'decide', keys: ['p'] },
  { id: 'followUp', group: 'decide', keys: ['h'] },
  { id: 'renew', group: 'decide', keys: ['u'] },
  { id: 'dismissed', group: 'decide', keys: [] },
  { id: 'assign', group: 'decide', keys: ['a'] },
  { id: 'undo', group: 'decide', keys: ['z'] },
  { id: 'recentChanges', group: 'decide', keys: [] },
  { id: 'mark', group: 'mark', keys: ['x'], listKeys: [' '] },
  { id: 'markRange', group: 'mark', keys: ['Shift+x'] },
  { id: 'markAll', group: 'mark', keys: ['*'] },
  { id: 'export', group: 'mark', keys: [] },
  { id: 'copyEmails', group: 'mark', keys: [] },
  { id: 'search', group: 'find', keys: ['/'] },
  { id: 'clear', group: 'find', keys: ['c'] },
  { id: 'onlyNew', group: 'find', keys: [] },
  { id: 'onlyMine', group: 'find', keys: [] },
  { id: 'saveView', group: 'find', keys: [] },
  { id: 'palette', group: 'go', keys: ['Mod+k'] },
  { id: 'goToday', group: 'go', keys: ['g t'] },
  { id: 'goQuestions', group: 'go', keys: ['g q'] },
  { id: 'goDeclarations', group: 'go', keys: ['g d'] },
  { id: 'goInterest', group: 'go', keys: ['g i'] },
  { id: 'help', group: 'go', keys: ['?'] },
] as const satisfies readonly Command[]

export type CommandId = (typeof COMMANDS)[number]['id']

export function shownKeys(id: CommandId): readonly string[] {
  const command: Command | undefined = COMMANDS.find((other) => other.id === id)
  const keys = command?.keys[0] ?? command?.listKeys?.[0]
  return keys === undefined ? [] : keys.split(/[ +](?=.)/)
}

export function allCommands(): readonly (Command & { id: CommandId })[] {
  return COMMANDS
}

export type KeyPress = {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
  repeat: boolean
  timeStamp: number
}

/** Fields, and menus or what else took the key (`choosing`), have all keys, the list and regions a few, controls Enter; after a call digits are its outcome. */
type KeyPlace = 'typing' | 'choosing' | 'outcome' | 'list' | 'control' | 'region' | 'page'

const SEQUENCE_MS = 1_500

/** A letter sooner after one that was no command belongs to the same words. */
const SAME_WORDS_MS = 600

/** Reads one key after the other. Letters in the middle of words, wherever they began, are no commands. */
export function createKeyReader(): (press: KeyPress, place: KeyPlace) => CommandId | null {
  let words = { at: -Infinity, forMs: 0 }
  let first: { key: string; at: number } | null = null
  return (press, place) => {
    const before = first !== null && press.timeStamp - first.at < SEQUENCE_MS ? first.key : null
    first = null
    const key = nameOf(press)
    if (key === null || (place === 'typing' && !key.startsWith('Mod+'))) return null
    const isInWords = press.timeStamp - words.at < words.forMs
    const isLetter = /^(?:Shift\+)?\p{L}$/u.test(key)
    const isText =
      (isLetter && (isInWords || place === 'choosing')) || (place === 'outcome' && isOfWords(key, isInWords))
    if (isText || (key === ' ' && isInWords)) {
      const forMs = place === 'outcome' ? BURST_MS : Math.max(SAME_WORDS_MS, isInWords ? words.forMs : 0)
      words = { at: isLetter || key.length === 1 ? press.timeStamp : -Infinity, forMs }
      return null
    }
    if (place === 'choosing') {
      if (key.length > 1) words.at = -Infinity
      return null
    }
    const found = (before !== null && commandOf(`${before} ${key}`, press, place)) || commandOf(key, press, place)
    // Who has noted a call may still be writing about it.
    if (place === 'outcome') words = { at: press.timeStamp, forMs: BURST_MS }
    else if (key.length > 1 || found) words.at = -Infinity
    if (found) return found
    if (FIRST_KEYS.has(key) && !press.repeat) first = { key, at: press.timeStamp }
    else if (isLetter) words = { at: press.timeStamp, forMs: SAME_WORDS_MS }
    return null
  }
}

/** At the outcomes of a call nothing but their digits is a command, and those only before words. */
function isOfWords(key: string, isInWords: boolean): boolean {
  return !key.startsWith('Mod+') && (isInWords || !/^[1-3]$/.test(key))
}

const FIRST_KEYS = new Set(
  allCommands()
    .flatMap(({ keys }) => keys)
    .flatMap((keys) => (keys.includes(' ') ? [keys.charAt(0)] : [])),
)

function commandOf(key: string, { repeat }: KeyPress, place: KeyPlace): CommandId | null {
  const command = allCommands().find(
    ({ keys, listKeys = [] }) => keys.includes(key) || (isListKey(key, place) && listKeys.includes(key)),
  )
  return command === undefined || (repeat && command.repeats !== true) ? null : command.id
}

/** Enter also in a scrolling region, and arrows where nothing has the focus. A space scrolls the page. */
function isListKey(key: string, place: KeyPlace): boolean {
  return place === 'list' || (place === 'page' && key !== ' ') || (place === 'region' && key === 'Enter')
}

/** `Shift+x`, `Mod+k`, `?`: of a sign, Shift does not matter (on a Swedish keyboard `/` is Shift+7). */
function nameOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyPress): string | null {
  if (altKey) return null
  const isLetter = /^\p{L}$/u.test(key)
  const name = isLetter ? key.toLowerCase() : key
  if (ctrlKey || metaKey) return shiftKey || (ctrlKey && metaKey) ? null : `Mod+${name}`
  return shiftKey && (isLetter || key.length > 1) ? `Shift+${name}` : name
}

export function keyPlaceOf(target: EventTarget | null): KeyPlace {
  if (!(target instanceof HTMLElement)) return 'page'
  if (target.isContentEditable || /^(?:TEXTAREA|SELECT)$/.test(target.tagName)) return 'typing'
  if (target instanceof HTMLInputElement) return /^(?:checkbox|radio|button)$/.test(target.type) ? 'control' : 'typing'
  if (target.getAttribute('role') === 'listbox') return 'list'
  if (target.dataset.typed === 'call') return 'outcome'
  if (target.matches('a, button, summary, [role^=menuitem]')) return 'control'
  return target.matches('html, body, [tabindex="-1"]') ? 'page' : 'region'
}
