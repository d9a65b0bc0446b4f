/** Where a command stands in the help and the palette. */
export const COMMAND_GROUPS = ['move', 'decide', 'mark', 'find', 'go'] as const
export type CommandGroup = (typeof COMMAND_GROUPS)[number]

type Command = {
  id: string
  group: CommandGroup
  /** As `KeyboardEvent.key` names them, so that they are the same signs on every keyboard; `g q` is one after the other. */
  keys: readonly string[]
  /** Only while the focus is in the list, where they would otherwise scroll. */
  listKeys?: readonly string[]
  /** Goes on while the key is held down. */
  repeats?: true
}

/** Everything that can be done by key or palette. The keys, the help and the palette are all read from here. */
export const COMMANDS = [
  { id: 'next', group: 'move', keys: ['j'], listKeys: ['ArrowDown'], repeats: true },
  { id: 'previous', group: 'move', keys: ['k'], listKeys: ['ArrowUp'], repeats: true },
  { id: 'open', group: 'move', keys: [], listKeys: ['Enter'] },
  { id: 'back', group: 'move', keys: ['Escape'] },
  { id: 'handled', group: 'decide', keys: ['e'] },
  { id: 'inProgress', group: 'decide', keys: ['p'] },
  { id: 'renew', group: 'decide', keys: ['u'] },
  { id: 'dismissed', group: 'decide', keys: [] },
  { id: 'assign', group: 'decide', keys: ['a'] },
  { id: 'undo', group: 'decide', keys: ['z'] },
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
  { id: 'goQuestions', group: 'go', keys: ['g q'] },
  { id: 'goDeclarations', group: 'go', keys: ['g d'] },
  { id: 'goInterest', group: 'go', keys: ['g i'] },
  { id: 'help', group: 'go', keys: ['?'] },
] as const satisfies readonly Command[]

export type CommandId = (typeof COMMANDS)[number]['id']

/** The keys that stand beside a command on screen, the first way to press it. */
export function shownKeys(id: CommandId): readonly string[] {
  const command: Command | undefined = COMMANDS.find((other) => other.id === id)
  const keys = command?.keys[0] ?? command?.listKeys?.[0]
  return keys === undefined ? [] : keys.split(/[ +](?=.)/)
}

export function allCommands(): readonly (Command & { id: CommandId })[] {
  return COMMANDS
}
