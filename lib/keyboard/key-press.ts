export type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'repeat' | 'timeStamp'
>

type PressedKey = { key?: string | undefined; isComposing?: boolean; keyCode?: number }

/** Tells whether a user pressed a key, not autofill (no `key`) or an input method (229 in its last event in Safari). */
export function isTypedKey({ key, isComposing, keyCode }: PressedKey): boolean {
  return typeof key === 'string' && isComposing !== true && keyCode !== 229
}

/** Returns names such as `Shift+x`, `Mod+k` and `?`. Signs ignore Shift, as `/` is Shift+7 on a Swedish keyboard. */
export function toKeyName({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyPress): string | null {
  if (altKey) return null
  const isLetter = /^\p{L}$/u.test(key)
  const name = isLetter ? key.toLowerCase() : key
  if (ctrlKey || metaKey) return shiftKey || (ctrlKey && metaKey) ? null : `Mod+${name}`
  return shiftKey && (isLetter || key.length > 1) ? `Shift+${name}` : name
}

/** Tells whether a key is a character, also with Shift, or two in sequence. A space is none: it presses controls. */
export function isCharacter(name: string): boolean {
  return /^(?:Shift\+|\S )?\S$/u.test(name)
}
