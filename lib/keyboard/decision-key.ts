import { COMMANDS } from './commands'
import { isTypedKey, type KeyPress, toKeyName } from './key-press'

/** Tells whether the key decides about a lead. A key with Ctrl, Cmd or Alt is the browser's. */
export function isDecisionKey(press: KeyPress): boolean {
  const name = isTypedKey(press) ? toKeyName(press) : null
  return COMMANDS.some(({ group, key }) => group === 'decide' && key === name)
}
