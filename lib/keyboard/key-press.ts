/** Tells whether a key is one character, also with Shift, or a sequence of two. A space is none, because it presses controls. */
export function isCharacter(key: string): boolean {
  return /^(?:Shift\+|\S )?\S$/u.test(key)
}

type PressedKey = { key?: string | undefined; isComposing?: boolean; keyCode?: number }

/** Tells whether a user pressed this key, not autofill (without a key) or an input method, whose last event Safari marks by 229 only. */
export function isTypedKey({ key, isComposing, keyCode }: PressedKey): boolean {
  return typeof key === 'string' && isComposing !== true && keyCode !== 229
}
