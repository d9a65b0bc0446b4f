import 'server-only'
import { chmodSync, existsSync, rmSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { createConnection, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { parseArgs, type ParseArgsConfig } from 'node:util'
import { DrizzleQueryError, eq } from 'drizzle-orm'
import { z } from 'zod'
import { type NewUser, newUserSchema } from '@/lib/contract/user'
import { executeCommand } from '@/server/access/command'
import { createPasswordLink } from '@/server/access/invitations'
import { createUser, issueLink, unlinkIdentity } from '@/server/access/manage-users'
import { mayUsePassword } from '@/server/access/sign-in-rules'
import type { StoredUser } from '@/server/access/users'
import { createConsoleViewer } from '@/server/access/viewer'
import { FolderInUseError } from '@/server/base/data-folder'
import { explainDatabaseError, isDatabaseOutage } from '@/server/base/database-outage'
import { codeOf, ConflictError } from '@/server/base/errors'
import { users as table } from '@/server/base/schema'
import type { Services } from '@/server/base/services'
import { dumpDatabase, restoreBackup } from './backup'
import { claimDatabase } from './database-identity'
import { runDoctor } from './doctor'
import { buildServices } from './services'

/** `code` is the exit code, `text` is printed, `file` holds the bytes of a backup. */
type Answer = { code: number; text: string; file?: Buffer }

class UsageError extends Error {
  override readonly name = 'UsageError'
}

type ConsoleCommand = {
  usage: string
  description: string
  /** The exact number of arguments; any number if undefined. */
  argumentCount?: number
  options?: NonNullable<ParseArgsConfig['options']>
  /** The command opens the database itself, or needs none. */
  opensDatabase?: true
  /** The command cannot run while Intag has PGlite open: Intag must be stopped first. */
  needsStoppedApp?: true
  /** The program of PostgreSQL that does the same if `DATABASE_URL` is set. */
  postgresProgram?: string
  run: (services: Services, args: string[], options: Options) => Promise<Answer | string>
}

type Options = Record<string, string | boolean | undefined>

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const

const COMMANDS: readonly ConsoleCommand[] = [
  {
    usage: 'add-admin EMAIL [--name NAME]',
    description: 'adds an administrator, or lets one back in; prints a link for choosing a password',
    argumentCount: 1,
    options: { name: text },
    run: addAdmin,
  },
  {
    usage: 'invite EMAIL [--name NAME] [--role staff|manager|admin] [--schools all|ID,ID]',
    description: 'adds a user (staff of no school); prints a link for choosing a password',
    argumentCount: 1,
    options: { name: text, role: text, schools: text },
    run: async (services, [email = ''], { name = email, role = 'staff', schools = '' }) => {
      const ids = String(schools).split(',')
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
    options: { all: flag },
    run: async (services, [email, ...more], { all }) => {
      if ((email === undefined) !== (all === true) || more.length > 0) throw new UsageError('It takes EMAIL, or --all.')
      const users = email === undefined ? await services.users.list() : [await findUser(services, email)]
      for (const { id, issuer } of users)
        if (email !== undefined || issuer !== null) await unlinkIdentity(services, createConsoleViewer(), { id })
      return 'Removed. The next sign-in at the provider finds its user by email.'
    },
  },
  {
    usage: 'backup FILE',
    description: 'writes the whole database to a new file while Intag runs; - is standard output. PostgreSQL: pg_dump',
    argumentCount: 1,
    postgresProgram: 'pg_dump',
    run: async ({ connect, activity }) => {
      const file = await dumpDatabase(await connect())
      await activity.record({ userId: null, action: 'backup-made', details: { bytes: file.length, console: true } })
      return { code: 0, text: `The backup is whole: ${(file.length / 1e6).toFixed(1)} MB.`, file }
    },
  },
  {
    usage: 'restore FILE [--replace]',
    description: 'puts a backup (- is standard input) into an empty DATA_DIR; --replace: replaces what is there',
    argumentCount: 1,
    options: { replace: flag },
    opensDatabase: true,
    needsStoppedApp: true,
    postgresProgram: 'pg_restore',
    run: async (services, [name = ''], options) => {
      const { env, now, activity } = services
      const replaced = await restoreBackup(name === '-' ? await buffer(process.stdin) : await readFile(name), {
        dataDir: env.dataDir,
        replace: options.replace === true,
        now,
        claimRestored: async (db) => {
          await claimDatabase({ ...services, connect: async () => db })
          await activity.recordIn(db, { userId: null, action: 'backup-restored', details: { console: true } })
        },
      })
      const previous = replaced === null ? '' : `\nThe previous database is in ${replaced}: delete it when all is well.`
      return `The backup is restored. Start Intag; everyone must sign in again, and open links must be issued again.${previous}`
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

/**
 * Runs the command that the arguments name. `commandLine` is how the console is called, such as `npm run admin --`. With
 * `isForwarded` another process has sent the command over the socket, and writes the file of a backup itself.
 */
export async function runConsole(
  [name = 'help', ...args]: readonly string[],
  commandLine: string,
  isForwarded = false,
): Promise<Answer> {
  const found = COMMANDS.find(({ usage }) => usage.split(' ')[0] === name)
  if (!found) {
    const lines = COMMANDS.map(({ usage, description }) => `  ${usage}\n      ${description}`)
    return {
      code: /help|^-h$/.test(name) ? 0 : 2,
      text: [`${commandLine} COMMAND [--env-file PATH]`, ...lines].join('\n'),
    }
  }
  try {
    const { options = {}, argumentCount } = found
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    if (argumentCount !== undefined && positionals.length !== argumentCount)
      throw new UsageError(`It takes ${argumentCount === 1 ? 'one argument' : 'no arguments'}.`)
    const path = name === 'backup' && !isForwarded ? (positionals[0] ?? '') : ''
    if (path !== '-' && path !== '' && existsSync(path)) throw new Error(`There is a file ${path} already.`)
    const run = (services: Services) => found.run(services, positionals, values as Options)
    const answer = await runOrForward(found, run, { args: [name, ...args], called: commandLine })
    if (answer.file === undefined || path === '' || path === '-') return answer
    await writeFile(path, answer.file, { mode: 0o600, flag: 'wx', flush: true })
    return { code: 0, text: answer.text.replace('The backup', () => path) }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    if (error instanceof UsageError || codeOf(error).startsWith('ERR_PARSE_ARGS'))
      return { code: 2, text: `${message}\n${commandLine} ${found.usage}` }
    // The error's own message quotes the query, with addresses and names.
    if (error instanceof DrizzleQueryError || isDatabaseOutage(error))
      return { code: 1, text: `The database: ${explainDatabaseError(error)}.` }
    return { code: 1, text: message }
  }
}

/** Runs the command in this process, or forwards it to a running Intag that has PGlite open. */
async function runOrForward(
  { postgresProgram, opensDatabase, needsStoppedApp }: ConsoleCommand,
  run: (services: Services) => Promise<Answer | string>,
  request: { args: readonly string[]; called: string },
): Promise<Answer> {
  const services = buildServices()
  const { env, lifecycle, database } = services
  const isRunning = !lifecycle.isStarting()
  if (postgresProgram && env.databaseUrl !== null)
    throw new Error(`DATABASE_URL is set: PostgreSQL has its own ${postgresProgram} (docs/back-up.md).`)
  try {
    if (!isRunning && !opensDatabase) await claimDatabase(services)
    const answer = await run(services)
    return typeof answer === 'string' ? { code: 0, text: answer } : answer
  } catch (error) {
    if (isRunning || !(error instanceof FolderInUseError)) throw error
    const answer = needsStoppedApp ? null : await forwardCommand(env.dataDir, request)
    if (answer === null) throw new Error(`${error.message} Stop Intag, run this, and start it again.`, { cause: error })
    return answer
  } finally {
    if (!isRunning) await database.close()
  }
}

const requestSchema = z.object({ args: z.array(z.string()).readonly(), called: z.string() })
const toSocketPath = (dataDir: string) => join(dataDir, 'console.sock')

/**
 * Only one process can open PGlite, so the running Intag executes the console's commands. They arrive over a Unix socket that
 * only its owner can use (0600, in a folder of 0700). The request is a line of JSON; so is the answer, which the bytes of a
 * backup follow.
 */
export function listenForCommands({ env, logger }: Services): Server | null {
  if (env.databaseUrl !== null) return null
  const path = toSocketPath(env.dataDir)
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    // Iterating over the socket would destroy it at its end, before the answer is written.
    let received = ''
    socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk))
    const answer = async (): Promise<void> => {
      const { args, called } = requestSchema.parse(JSON.parse(received))
      const { file = '', ...found } = await runConsole(args, called, true)
      socket.write(`${JSON.stringify(found)}\n`)
      socket.end(file)
    }
    socket.on('error', () => {}).on('end', () => void answer().catch(() => socket.destroy()))
  })
  server.on('error', (err) => logger.warn({ err }, 'the console’s commands need Intag stopped'))
  // This process holds the folder's lock, so an existing socket was left by a dead process.
  rmSync(path, { force: true })
  server.listen(path, () => chmodSync(path, 0o600))
  return server.unref()
}

/** Returns null if Intag does not answer, because it is still starting or of another release. */
async function forwardCommand(dataDir: string, request: z.infer<typeof requestSchema>): Promise<Answer | null> {
  const socket = createConnection(toSocketPath(dataDir)).end(JSON.stringify(request))
  const bytes = await buffer(socket).catch(() => Buffer.alloc(0))
  const end = bytes.indexOf('\n')
  if (end === -1) return null
  const answerSchema = z.object({ code: z.number(), text: z.string() })
  const answer = answerSchema.parse(JSON.parse(bytes.toString('utf8', 0, end)))
  return end + 1 < bytes.length ? { ...answer, file: bytes.subarray(end + 1) } : answer
}

/**
 * Adds an administrator or sends a new link to one. If single sign-on or `PASSWORD_SIGN_IN=off` would keep the administrator
 * out, a password is allowed as well, because the provider may be what is broken. Disabling the user takes that back.
 */
async function addAdmin(services: Services, [email = '']: string[], { name = email }: Options): Promise<string> {
  const { env, users } = services
  const person = parseNewUser({ email, name, role: 'admin', schools: 'all' })
  return executeCommand(services, createConsoleViewer(), 'admin', async (tx, log) => {
    const known = await users.findByEmail(person.email, tx)
    if (known && (known.disabled || known.role !== 'admin'))
      throw new ConflictError(`${known.email} already exists: ${known.disabled ? 'disabled' : known.role}.`)
    const user = known ?? (await users.create(tx, { ...person, passwordHash: null }))
    if (!known) await log({ action: 'user-created', details: { user: user.id, role: 'admin' } })
    else await log({ action: 'reset-link-issued', details: { user: user.id } })
    if (!mayUsePassword(env, user)) {
      await tx.update(table).set({ breakGlass: true }).where(eq(table.id, user.id))
      await log({ action: 'break-glass-changed', details: { user: user.id, allowed: true } })
    }
    return (await createPasswordLink(services, tx, user)).url
  })
}

/** Throws `UsageError` with the names of the invalid arguments. */
function parseNewUser(input: unknown): NewUser {
  const { data, error } = newUserSchema.safeParse(input)
  if (data) return data
  const fields = error.issues.map(({ path }) => (path[0] === 'email' ? 'EMAIL' : `--${String(path[0])}`))
  throw new UsageError(`${[...new Set(fields)].join(', ')} cannot be used.`)
}

async function findUser({ users }: Services, email: string): Promise<StoredUser> {
  const user = await users.findByEmail(email)
  if (!user) throw new Error(`Nobody has the address "${email}".`)
  return user
}
