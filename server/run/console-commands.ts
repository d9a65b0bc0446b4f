import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import type { ParseArgsConfig } from 'node:util'
import { eq } from 'drizzle-orm'
import { newUserSchema } from '@/lib/contract/user'
import { executeCommand } from '@/server/access/command'
import { createPasswordLink } from '@/server/access/invitations'
import { changeUser, createUser, issueLink } from '@/server/access/manage-users'
import { mayUsePassword } from '@/server/access/password-access'
import { createConsoleViewer } from '@/server/access/viewer'
import { ConflictError } from '@/server/base/errors'
import { users as usersTable } from '@/server/base/schema'
import type { Services } from '@/server/base/services'
import { dumpDatabase, restoreBackup } from './backup'
import { claimDatabase } from './database-identity'
import { runDoctor } from './doctor'

/** `text` is printed, and `backup` has the bytes of the file if the command is `backup`. */
export type CommandResult = { exitCode: number; text: string; backup?: Buffer }

export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export type ConsoleCommand = {
  usage: string
  description: string
  /** If undefined, the command checks its arguments itself. */
  argumentCount?: number
  options?: NonNullable<ParseArgsConfig['options']>
  /** The command itself opens the database and verifies that it is this installation's. */
  opensDatabase?: true
  /** The command cannot run while Intag has PGlite open. */
  needsStoppedApp?: true
  /** The program of PostgreSQL that does the same if `DATABASE_URL` is set. */
  postgresProgram?: string
  run: (services: Services, args: string[], options: Options) => Promise<CommandResult | string>
}

type Options = Record<string, string | boolean | undefined>

const textOption = { type: 'string' } as const
const flagOption = { type: 'boolean' } as const

export const COMMANDS: readonly ConsoleCommand[] = [
  {
    usage: 'add-admin EMAIL [--name NAME]',
    description: 'adds an administrator, or lets one back in; prints a link for choosing a password',
    argumentCount: 1,
    options: { name: textOption },
    run: addAdmin,
  },
  {
    usage: 'invite EMAIL [--name NAME] [--role staff|manager|admin] [--schools all|ID,ID]',
    description: 'adds a user (staff of no school); prints a link for choosing a password',
    argumentCount: 1,
    options: { name: textOption, role: textOption, schools: textOption },
    run: async (services, [email = ''], { name = email, role = 'staff', schools = '' }) => {
      const ids = Array.from(String(schools).split(','), (id) => id.trim())
      const scope = schools === 'all' ? 'all' : ids.filter((id) => id !== '')
      const user = parseNewUser({ email, name, role, schools: scope })
      return (await createUser(services, createConsoleViewer(), user)).inviteUrl
    },
  },
  {
    usage: 'reset-link EMAIL',
    description: 'prints a link for choosing a new password',
    argumentCount: 1,
    run: async (services, [email = '']) => {
      const { id } = await findUser(services, email)
      return (await issueLink(services, createConsoleViewer(), { id })).inviteUrl
    },
  },
  {
    usage: 'unlink EMAIL | --all',
    description: 'removes the link to the single sign-on account: the next sign-in there finds its user by email',
    options: { all: flagOption },
    run: async (services, [email, ...extraArgs], { all }) => {
      if ((email === undefined) !== (all === true) || extraArgs.length > 0)
        throw new UsageError('It takes EMAIL, or --all.')
      const users = email === undefined ? await services.users.list() : [await findUser(services, email)]
      for (const { id } of users) await changeUser(services, createConsoleViewer(), { id, bound: false })
      return 'Removed. The next sign-in at the provider finds its user by email.'
    },
  },
  {
    usage: 'backup FILE',
    description: 'writes the whole database to a new file while Intag runs; - is standard output. PostgreSQL: pg_dump',
    argumentCount: 1,
    postgresProgram: 'pg_dump',
    run: async ({ connect, activity }) => {
      const backup = await dumpDatabase(await connect())
      // The caller writes the file and prints the text, and the log has every copy that left the database.
      await activity.record({ userId: null, action: 'backup-made', details: { bytes: backup.length, console: true } })
      return { exitCode: 0, text: describeBackup('The backup', backup), backup }
    },
  },
  {
    usage: 'restore FILE [--replace]',
    description: 'puts a backup (- is standard input) into an empty DATA_DIR; --replace: replaces what is there',
    argumentCount: 1,
    options: { replace: flagOption },
    opensDatabase: true,
    needsStoppedApp: true,
    postgresProgram: 'pg_restore',
    run: async (services, [name = ''], options) => {
      const { env, now, activity } = services
      const previousDir = await restoreBackup(name === '-' ? await buffer(process.stdin) : await readFile(name), {
        dataDir: env.dataDir,
        replace: options.replace === true,
        now,
        claimRestored: async (db) => {
          await claimDatabase({ ...services, connect: async () => db })
          await activity.recordIn(db, { userId: null, action: 'backup-restored', details: { console: true } })
        },
      })
      const hint = previousDir && `\nThe previous database is in ${previousDir}: delete it when all is well.`
      return `The backup is restored. Start Intag; everyone must sign in again, and open links must be issued again.${hint ?? ''}`
    },
  },
  {
    usage: 'doctor',
    description: 'checks the settings, database, service, mail and clock; sends at most one request to the service',
    argumentCount: 0,
    opensDatabase: true,
    run: runDoctor,
  },
]

export const describeBackup = (name: string, { length }: Buffer) => `${name} is whole: ${(length / 1e6).toFixed(1)} MB.`

/** Adds an administrator, or lets one back in. A password is allowed even under single sign-on, which may be broken. */
async function addAdmin(services: Services, [email = '']: string[], { name = email }: Options) {
  const { env, users } = services
  const newUser = parseNewUser({ email, name, role: 'admin', schools: 'all' })
  return executeCommand(services, createConsoleViewer(), 'admin', async (tx, log) => {
    const existingUser = await users.findByEmail(newUser.email, tx)
    if (existingUser && (existingUser.disabled || existingUser.role !== 'admin'))
      throw new ConflictError(
        `${existingUser.email} already exists: ${existingUser.disabled ? 'disabled' : existingUser.role}.`,
      )
    const user = existingUser ?? (await users.create(tx, { ...newUser, passwordHash: null }))
    if (existingUser) await log({ action: 'reset-link-issued', details: { user: user.id } })
    else await log({ action: 'user-created', details: { user: user.id, role: 'admin' } })
    if (!mayUsePassword(env, user)) {
      await tx.update(usersTable).set({ breakGlass: true }).where(eq(usersTable.id, user.id))
      await log({ action: 'break-glass-changed', details: { user: user.id, allowed: true } })
    }
    return (await createPasswordLink(services, tx, user)).url
  })
}

function parseNewUser(input: unknown) {
  const { data, error } = newUserSchema.safeParse(input)
  if (data) return data
  const fields = error.issues.map(({ path }) => (path[0] === 'email' ? 'EMAIL' : `--${String(path[0])}`))
  throw new UsageError(`${[...new Set(fields)].join(', ')} cannot be used.`)
}

async function findUser({ users }: Services, email: string) {
  const user = await users.findByEmail(email)
  if (!user) throw new Error(`Nobody has the address "${email}".`)
  return user
}
