import 'server-only'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { parseArgs, type ParseArgsConfig } from 'node:util'
import { DrizzleQueryError } from 'drizzle-orm'
import { FolderInUseError } from '@/server/base/data-folder'
import { codeOf } from '@/server/base/errors'
import { keyId } from '@/server/base/seal'
import { databaseTrouble, isDatabasesOutage } from '@/server/base/trouble'
import { dumpDatabase, restoreBackup } from './backup'
import { type Answer, askRunning } from './console-socket'
import { addAdmin, type Given, invite, resetLink, unlink, UsageError } from './console-users'
import { claimDatabase } from './database-identity'
import { doctor } from './doctor'
import type { Services } from '@/server/base/services'
import { startedServices } from './services'

type ConsoleCommand = {
  usage: string
  says: string
  /** How many words it needs; without it any number. */
  words?: number
  options?: NonNullable<ParseArgsConfig['options']>
  /** Opens the database itself, if it opens it at all. */
  opensDatabase?: true
  /** Never in an Intag that runs, which on PGlite must be stopped first. */
  isAlone?: true
  /** The program of PostgreSQL that does it where `DATABASE_URL` is set. */
  withPostgres?: string
  run: (services: Services, given: Given) => Promise<Answer | string>
}

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const

const COMMANDS: readonly ConsoleCommand[] = [
  {
    usage: 'add-admin EMAIL [--name NAME]',
    says: 'adds an administrator, or lets one back in; prints a link for choosing a password',
    words: 1,
    options: { name: text },
    run: addAdmin,
  },
  {
    usage: 'invite EMAIL [--name NAME] [--role staff|manager|admin] [--schools all|ID,ID]',
    says: 'adds a user (staff of no school); prints a link for choosing a password',
    words: 1,
    options: { name: text, role: text, schools: text },
    run: invite,
  },
  {
    usage: 'reset-link EMAIL',
    says: 'prints a link for choosing a new password',
    words: 1,
    run: resetLink,
  },
  {
    usage: 'unlink EMAIL | --all',
    says: 'removes the link to the single sign-on account: the next sign-in there finds its user by email',
    options: { all: flag },
    run: unlink,
  },
  {
    usage: 'backup FILE',
    says: 'writes the whole database to a new file while Intag runs; - is standard output. PostgreSQL: pg_dump',
    words: 1,
    withPostgres: 'pg_dump',
    run: async ({ connect, activity }) => {
      const file = await dumpDatabase(await connect())
      await activity.record({ userId: null, action: 'backup-made', details: { bytes: file.length, console: true } })
      return { code: 0, text: `The backup is whole: ${(file.length / 1e6).toFixed(1)} MB.`, file }
    },
  },
  {
    usage: 'restore FILE [--replace]',
    says: 'puts a backup (- is standard input) into an empty DATA_DIR; --replace: replaces what is there',
    words: 1,
    options: { replace: flag },
    opensDatabase: true,
    isAlone: true,
    withPostgres: 'pg_restore',
    run: async (own, { words: [name = ''], options }) => {
      const { env, now, activity } = own
      const before = await restoreBackup(name === '-' ? await buffer(process.stdin) : await readFile(name), {
        dataDir: env.dataDir,
        replace: options.replace === true,
        now,
        accept: async (db) => {
          await claimDatabase({ ...own, connect: async () => db })
          await activity.recordIn(db, { userId: null, action: 'backup-restored', details: { console: true } })
        },
      })
      const kept = before === null ? '' : `\nThe previous database is in ${before}: delete it when all is well.`
      return `The backup is restored. Start Intag; everyone must sign in again, and open links must be issued again.${kept}`
    },
  },
  {
    usage: 'doctor',
    says: 'checks the settings, database, service, mail and clock; sends at most one request to the service',
    words: 0,
    opensDatabase: true,
    run: doctor,
  },
]

/**
 * Runs the command that the arguments name. `called`: how it is typed, such as `npm run admin --`. `isAsked`: by the socket, and
 * whoever asks writes the file of a backup.
 */
export async function runConsole(
  [name = 'help', ...args]: readonly string[],
  called: string,
  isAsked = false,
): Promise<Answer> {
  const command = COMMANDS.find(({ usage }) => usage.split(' ')[0] === name)
  if (!command) {
    const lines = COMMANDS.map(({ usage, says }) => `  ${usage}\n      ${says}`)
    return { code: /help|^-h$/.test(name) ? 0 : 2, text: [`${called} COMMAND [--env-file PATH]`, ...lines].join('\n') }
  }
  try {
    const { options = {}, words: count } = command
    const { values, positionals: words } = parseArgs({ args, options, allowPositionals: true })
    if (count !== undefined && words.length !== count) throw new UsageError(`It takes ${count} arguments.`)
    const path = name === 'backup' && !isAsked ? (words[0] ?? '') : ''
    if (path !== '-' && path !== '' && existsSync(path)) throw new Error(`There is a file ${path} already.`)
    const given = { words, options: values as Given['options'] }
    const answer = await runHereOrThere(command, given, { args: [name, ...args], called })
    if (answer.file === undefined || path === '' || path === '-') return answer
    await writeFile(path, answer.file, { mode: 0o600, flag: 'wx', flush: true })
    return { code: 0, text: answer.text.replace('The backup', path) }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    if (error instanceof UsageError || codeOf(error).startsWith('ERR_PARSE_ARGS'))
      return { code: 2, text: `${message}\n${called} ${command.usage}` }
    // The error's own message quotes the query, with addresses and names.
    if (error instanceof DrizzleQueryError || isDatabasesOutage(error))
      return { code: 1, text: `The database: ${databaseTrouble(error)}.` }
    return { code: 1, text: message }
  }
}

/** Where Intag runs and has PGlite open, it runs the command; else this process opens the database. */
async function runHereOrThere(
  command: ConsoleCommand,
  given: Given,
  typed: { args: readonly string[]; called: string },
): Promise<Answer> {
  const own = startedServices()
  const isRunning = !own.lifecycle.isComing()
  if (command.withPostgres && own.env.databaseUrl !== null)
    throw new Error(`DATABASE_URL is set: PostgreSQL has its own ${command.withPostgres} (docs/run.md).`)
  try {
    if (!isRunning && !command.opensDatabase) await claimDatabase(own)
    const answer = await command.run(own, given)
    return typeof answer === 'string' ? { code: 0, text: answer } : answer
  } catch (error) {
    if (isRunning || !(error instanceof FolderInUseError)) throw error
    const key = keyId(own.dataKeys.current).toString('base64url')
    const answer = command.isAlone ? null : await askRunning(own.env.dataDir, { ...typed, key })
    if (answer === null) throw new Error(`${error.message} Stop Intag, run this, and start it again.`, { cause: error })
    return answer
  } finally {
    if (!isRunning) await own.database.close()
  }
}
