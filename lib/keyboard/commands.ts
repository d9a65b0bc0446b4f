import { isCharacter } from './key-press'

type Command = {
  id: string
  group: 'move' | 'decide' | 'mark' | 'find' | 'go'
  /** The name is as in `KeyboardEvent.key`, perhaps after `Shift+` or `Mod+`; `g q` is a sequence of two keys. */
  key?: string
  /** This key works only while the list has the focus, because elsewhere it scrolls. */
  listKey?: string
  canRepeat?: true
}

const COMMAND_LIST = [
  { id: 'next', group: 'move', key: 'j', listKey: 'ArrowDown', canRepeat: true },
  { id: 'previous', group: 'move', key: 'k', listKey: 'ArrowUp', canRepeat: true },
  { id: 'open', group: 'move', listKey: 'Enter' },
  { id: 'back', group: 'move', key: 'Escape' },
  { id: 'reply', group: 'decide', key: 'r' },
  { id: 'note', group: 'decide', key: 'n' },
  // The text field handles this key itself; the help shows it.
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

export type CommandId = (typeof COMMAND_LIST)[number]['id']

export const COMMANDS: readonly (Command & { id: CommandId })[] = COMMAND_LIST

/** Lists the keys to press for a command, none of which is a character if the user has switched those off. */
export function listShownKeys(id: CommandId, hasCharacterCommands = true): readonly string[] {
  const command = COMMANDS.find((other) => other.id === id)
  const keys = [command?.key, command?.listKey].filter((key) => key !== undefined)
  return keys.find((key) => hasCharacterCommands || !isCharacter(key))?.split(/[ +](?=.)/) ?? []
}
