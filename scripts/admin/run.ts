import { breakGlass, disable, enable, endSessions, removeFactors, resetLink } from './access'
import { type AdminCommand, FoundWrong, UsageError } from './command'
import { backup, move, restore, verifyLogCommand } from './data'
import { doctor } from './doctor'
import { acceptKey, resealCommand, rotateKeys } from './keys'
import { addAdmin, invite, usersCommand } from './people'

const PEOPLE = [usersCommand, addAdmin, invite, resetLink, disable, enable, endSessions, removeFactors, breakGlass]
const GROUPS: readonly { title: string; commands: readonly AdminCommand[] }[] = [
  { title: 'People', commands: PEOPLE },
  { title: 'Data', commands: [backup, restore, move, verifyLogCommand] },
  { title: 'Keys', commands: [rotateKeys, resealCommand, acceptKey] },
  { title: 'Is everything in order?', commands: [doctor] },
]

export type Ended = { code: 0 | 1 | 2; out: string; err: string }

/** Runs the command that the arguments name. `called`: how it is called here, such as `npm run admin --`. */
export async function runAdmin([name = 'help', ...args]: readonly string[], called: string): Promise<Ended> {
  if (['help', '--help', '-h'].includes(name)) return { code: 0, out: list(called), err: '' }
  const command = GROUPS.flatMap(({ commands }) => commands).find((each) => nameOf(each) === name)
  if (!command) return { code: 2, out: '', err: `There is no command ${name}.\n\n${list(called)}` }
  if (args.includes('--help') || args.includes('-h')) return { code: 0, out: helpFor(command, called), err: '' }
  try {
    return { code: 0, out: await command.run(args), err: '' }
  } catch (error) {
    if (error instanceof FoundWrong) return { code: 1, out: error.message, err: '' }
    if (error instanceof UsageError) return { code: 2, out: '', err: `${error.message}\n${called} ${command.usage}` }
    return { code: 1, out: '', err: error instanceof Error ? error.message : String(error) }
  }
}

function nameOf({ usage }: AdminCommand): string {
  return usage.split(' ')[0] ?? ''
}

const NAMES_WIDTH = 16

function list(called: string): string {
  const line = (command: AdminCommand) => `  ${nameOf(command).padEnd(NAMES_WIDTH)}${command.says}`
  const lines = GROUPS.flatMap(({ title, commands }) => ['', title, ...commands.map(line)])
  return [
    `${called} COMMAND, with the settings that Intag has`,
    ...lines,
    '',
    `${called} COMMAND --help says more. --env-file PATH, with any of them: settings from such a file as systemd reads.`,
  ].join('\n')
}

function helpFor({ usage, says, more }: AdminCommand, called: string): string {
  return [`${called} ${usage}`, '', says, ...(more === undefined ? [] : ['', more])].join('\n')
}
