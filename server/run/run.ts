import 'server-only'
import { DrizzleQueryError } from 'drizzle-orm'
import { databaseTrouble } from '@/server/base/trouble'
import { acceptKey, breakGlass, resetLink } from './access'
import { type AdminCommand, FoundWrong, nameOf, UsageError } from './command'
import { backup, restore } from './data'
import { doctor } from './doctor'
import { addAdmin, usersCommand } from './people'
import { identityCommand, runWherever } from './running'
import type { Ended } from './socket'

const GROUPS: readonly { title: string; commands: readonly AdminCommand[] }[] = [
  { title: 'People', commands: [usersCommand, addAdmin, resetLink, breakGlass] },
  { title: 'Data', commands: [backup, restore] },
  { title: 'Keys', commands: [acceptKey] },
  { title: 'Is everything in order?', commands: [doctor] },
]

const COMMANDS = [...GROUPS.flatMap(({ commands }) => commands), identityCommand]

/** Runs the command that the arguments name. `called`: how it is typed, such as `npm run admin --`. */
export async function runAdmin(
  [name = 'help', ...args]: readonly string[],
  called: string,
  more: readonly AdminCommand[] = [],
): Promise<Ended> {
  if (['help', '--help', '-h'].includes(name)) return { code: 0, out: list(called), err: '' }
  const command = [...COMMANDS, ...more].find((each) => nameOf(each) === name)
  if (!command) return { code: 2, out: '', err: `There is no command ${name}.\n\n${list(called)}` }
  if (args.includes('--help') || args.includes('-h')) return { code: 0, out: helpFor(command, called), err: '' }
  return runWherever(command, args, called).catch((failure: unknown) =>
    endedWith(failure, `${called} ${command.usage}`),
  )
}

function endedWith(failure: unknown, usage: string): Ended {
  if (failure instanceof FoundWrong) return { code: 1, out: failure.message, err: '' }
  if (failure instanceof UsageError) return { code: 2, out: '', err: `${failure.message}\n${usage}` }
  // Its own message has the query, with addresses and names.
  if (failure instanceof DrizzleQueryError)
    return { code: 1, out: '', err: `The database: ${databaseTrouble(failure)}.` }
  return { code: 1, out: '', err: failure instanceof Error ? failure.message : String(failure) }
}

const NAMES_WIDTH = 16

function list(called: string): string {
  const line = (command: AdminCommand) => `  ${nameOf(command).padEnd(NAMES_WIDTH)}${command.says}`
  const lines = GROUPS.flatMap(({ title, commands }) => ['', title, ...commands.map(line)])
  return [
    `${called} COMMAND, with the settings that Intag has`,
    ...lines,
    '',
    `${called} COMMAND --help says more. --env-file PATH, with any of them: settings from such a file as systemd reads, values with # in quotes.`,
  ].join('\n')
}

function helpFor({ usage, says, more }: AdminCommand, called: string): string {
  return [`${called} ${usage}`, '', says, ...(more === undefined ? [] : ['', more])].join('\n')
}
