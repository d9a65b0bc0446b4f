import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { DrizzleQueryError } from 'drizzle-orm'
import { FolderInUseError } from '@/server/base/data-folder'
import { explainDatabaseError, isDatabaseOutage } from '@/server/base/database-outage'
import { codeOf } from '@/server/base/error-codes'
import type { Services } from '@/server/base/services'
import { type Answer, COMMANDS, type ConsoleCommand, UsageError } from './console-commands'
import { forwardCommand } from './console-socket'
import { claimDatabase } from './database-identity'
import { buildServices } from './services'

/** `commandLine` is how the console is called, such as `npm run admin --`. A command that `isForwarded` leaves its file to the caller. */
export async function runConsole(
  [name = 'help', ...args]: readonly string[],
  commandLine: string,
  isForwarded = false,
): Promise<Answer> {
  const command = COMMANDS.find(({ usage }) => usage.split(' ')[0] === name)
  if (!command) {
    const lines = COMMANDS.map(({ usage, description }) => `  ${usage}\n      ${description}`)
    const text = [`${commandLine} COMMAND [--env-file PATH]`, ...lines].join('\n')
    return { code: /help|^-h$/.test(name) ? 0 : 2, text }
  }
  try {
    const { options = {}, argumentCount } = command
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    if (argumentCount !== undefined && positionals.length !== argumentCount)
      throw new UsageError(`It takes ${argumentCount === 1 ? 'one argument' : 'no arguments'}.`)
    const [path = '-'] = name === 'backup' && !isForwarded ? positionals : []
    if (path !== '-' && existsSync(path)) throw new Error(`There is a file ${path} already.`)
    const run = (services: Services) => command.run(services, positionals, values as Record<string, string | boolean>)
    const answer = await runOrForward(command, run, { args: [name, ...args], called: commandLine })
    if (answer.file === undefined || path === '-') return answer
    await writeFile(path, answer.file, { mode: 0o600, flag: 'wx', flush: true })
    return { code: 0, text: answer.text.replace('The backup', () => path) }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    if (error instanceof UsageError || codeOf(error).startsWith('ERR_PARSE_ARGS'))
      return { code: 2, text: `${message}\n${commandLine} ${command.usage}` }
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
