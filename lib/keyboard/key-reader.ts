import { allCommands, type CommandId } from './commands'

/** The part of a `KeyboardEvent` that is read. */
export type KeyPress = {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
  repeat: boolean
  timeStamp: number
}

/** Where the focus is: in a field the keys write; a list has a few of its own; anything else that is pressed keeps Enter. */
export type KeyPlace = 'typing' | 'list' | 'control' | 'page'

/** After the first key of two, how long the second is waited for. */
const SEQUENCE_MS = 1_500

/** Reads key presses as commands; keeps in mind the first key of two. */
export function createKeyReader(): (press: KeyPress, place: KeyPlace) => CommandId | null {
  let first: { key: string; at: number } | null = null
  return (press, place) => {
    const before = first !== null && press.timeStamp - first.at < SEQUENCE_MS ? first.key : null
    first = null
    const key = nameOf(press)
    if (key === null || (place === 'typing' && !key.startsWith('Mod+'))) return null
    const found = (before !== null && commandOf(`${before} ${key}`, press, place)) || commandOf(key, press, place)
    if (found) return found
    if (FIRST_KEYS.has(key) && !press.repeat) first = { key, at: press.timeStamp }
    return null
  }
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

/** Enter also where nothing has the focus, for then the list is what is meant. */
function isListKey(key: string, place: KeyPlace): boolean {
  return place === 'list' || (place === 'page' && key === 'Enter')
}

/** `Shift+x`, `Mod+k`, `?`: for a sign, how it was brought about does not matter (on a Swedish keyboard `/` is Shift+7). */
function nameOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyPress): string | null {
  if (altKey) return null
  const isLetter = /^\p{L}$/u.test(key)
  const name = isLetter ? key.toLowerCase() : key
  if (ctrlKey || metaKey) return shiftKey || (ctrlKey && metaKey) ? null : `Mod+${name}`
  return shiftKey && (isLetter || key.length > 1) ? `Shift+${name}` : name
}
