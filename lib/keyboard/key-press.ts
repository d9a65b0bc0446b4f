/** Tells whether a key is one character, also with Shift, or a sequence of two. A space is none, because it presses the control that has the focus. */
export function isCharacter(key: string): boolean {
  return /^(?:Shift\+|\S )?\S$/u.test(key)
}

type PressedKey = { key?: string | undefined; isComposing?: boolean; keyCode?: number }

/** Tells whether a user pressed this key. Autofill sends events without a key, and input methods send what they compose; Safari marks the last of these by the code 229 only. */
export function isTypedKey({ key, isComposing, keyCode }: PressedKey): boolean {
  return typeof key === 'string' && isComposing !== true && keyCode !== 229
}
