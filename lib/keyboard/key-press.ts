/** A letter, a digit or a sign, also with Shift, and two of them one after the other. A space is none: it only presses what has the focus. */
export function isCharacter(key: string): boolean {
  return /^(?:Shift\+|\S )?\S$/u.test(key)
}

type Pressed = { key?: string | undefined; isComposing?: boolean; keyCode?: number }

/** Autofill sends presses without a key, and an input method those that it composes; Safari marks the last of them by the code 229 only. */
export function isTypedKey({ key, isComposing, keyCode }: Pressed): boolean {
  return typeof key === 'string' && isComposing !== true && keyCode !== 229
}
