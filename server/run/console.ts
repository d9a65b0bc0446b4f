import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { DrizzleQueryError } from 'drizzle-orm'
import { FolderInUseError } from '@/server/base/data-folder'
import { toCommandLine } from '@/server/base/env'
import { explainDatabaseError } from '@/server/base/explain-database-error'
import { readErrorCode } from '@/server/base/error-codes'
import type { Services } from '@/server/base/services'
import { type CommandResult, COMMANDS, type ConsoleCommand, describeBackup, UsageError } from './console-commands'
import { forwardCommand } from './console-socket'
import { claimDatabase } from './database-identity'
import { buildServices } from './services'

const USAGE_EXIT_CODE = 2

/** Runs the command that the first argument names. If `isForwarded`, the calling process writes the backup. */
export async function runConsole(
  [name = 'help', ...args]: readonly string[],
  { isForwarded = false } = {},
): Promise<CommandResult> {
  const commandLine = toCommandLine('admin')
  const command = COMMANDS.find(({ usage }) => usage.split(' ')[0] === name)
  if (!command) {
    const lines = COMMANDS.map(({ usage, description }) => `  ${usage}\n      ${description}`)
    const text = [`${commandLine} COMMAND [--env-file PATH]`, ...lines].join('\n')
    return { exitCode: ['help', '--help', '-h'].includes(name) ? 0 : USAGE_EXIT_CODE, text }
  }
  try {
    const { options = {}, argumentCount } = command
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    if (argumentCount !== undefined && positionals.length !== argumentCount)
      throw new UsageError(`It takes ${argumentCount === 1 ? 'one argument' : 'no arguments'}.`)
    // `-` leaves the backup to the caller, which writes it to standard output.
    const [path = '-'] = name === 'backup' && !isForwarded ? positionals : []
    if (path !== '-' && existsSync(path)) throw new Error(`There is a file ${path} already.`)
    const run = (services: Services) => command.run(services, positionals, values as Record<string, string | boolean>)
    const result = await runOrForward(command, run, [name, ...args])
    if (result.backup === undefined || path === '-') return result
    await writeFile(path, result.backup, { mode: 0o600, flag: 'wx', flush: true })
    return { exitCode: 0, text: describeBackup(path, result.backup) }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    if (error instanceof UsageError || readErrorCode(error).startsWith('ERR_PARSE_ARGS'))
      return { exitCode: USAGE_EXIT_CODE, text: `${message}\n${commandLine} ${command.usage}` }
    // A database error is explained in our words, because its own message quotes the query, with addresses and names.
    if (error instanceof DrizzleQueryError)
      return { exitCode: 1, text: `The database: ${explainDatabaseError(error)}.` }
    return { exitCode: 1, text: message }
  }
}

/** Runs the command in this process, or forwards it to a running Intag that has PGlite open. */
async function runOrForward(
  { postgresProgram, opensDatabase, needsStoppedApp }: ConsoleCommand,
  run: (services: Services) => Promise<CommandResult | string>,
  args: readonly string[],
): Promise<CommandResult> {
  // Services are built once in a process, so these are the app's own if this runs inside it.
  const services = buildServices()
  const { env, lifecycle, database } = services
  const isInsideApp = !lifecycle.isStarting()
  if (postgresProgram && env.databaseUrl !== null)
    throw new Error(`DATABASE_URL is set: PostgreSQL has its own ${postgresProgram} (docs/back-up.md).`)
  try {
    if (!isInsideApp && !opensDatabase) await claimDatabase(services)
    const result = await run(services)
    return typeof result === 'string' ? { exitCode: 0, text: result } : result
  } catch (error) {
    if (isInsideApp || !(error instanceof FolderInUseError)) throw error
    const result = needsStoppedApp ? null : await forwardCommand(env.dataDir, args)
    if (result === null) throw new Error(`${error.message} Stop Intag, run this, and start it again.`, { cause: error })
    return result
  } finally {
    if (!isInsideApp) await database.close()
  }
}
