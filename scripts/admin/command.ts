import { parseArgs, type ParseArgsConfig } from 'node:util'
import { FolderInUseError } from '@/server/db/folder-lock'
import { type Services, services } from '@/server/services'
import { claimDatabase } from '@/server/settings/database-mode'
import type { StoredUser, Users } from '@/server/users/users'

/** What somebody at the server's own console may do. */
export type AdminCommand = {
  /** Its name and the arguments it takes, such as `reset-link EMAIL`. */
  usage: string
  /** What it does, in one line. */
  says: string
  /** What `--help` says besides. */
  more?: string
  /** Answers what is printed; an error's message is printed, too, and the process ends with 1, or 2 for a `UsageError`. */
  run: (args: readonly string[]) => Promise<string>
}

/** The command was called in another way than it can be. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** What is printed like an answer although something is wrong: the process ends with 1. */
export class FoundWrong extends Error {
  override readonly name = 'FoundWrong'
}

type Options = NonNullable<ParseArgsConfig['options']>

/** So many arguments, all needed, and these options; `UsageError` for anything else. */
export function argumentsOf<const O extends Options>(args: readonly string[], count: number, options: O) {
  const { values, positionals } = parsed(args, options)
  if (positionals.length !== count || positionals.some((text) => text.trim() === ''))
    throw new UsageError(count === 0 ? 'This command takes no arguments.' : 'Something is missing, or too much.')
  return { values, named: positionals }
}

function parsed<const O extends Options>(args: readonly string[], options: O) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

/** Does something with the database of the settings, if it is of their mode and key, and closes it. Other instances are told. */
export async function withServices(
  work: (parts: Services) => Promise<string>,
  terms: { isKeyLost?: boolean } = {},
): Promise<string> {
  const parts = services()
  try {
    await claimDatabase(parts, terms)
    if (parts.redis !== null) {
      await parts.redis.connect()
      parts.announcer.connect()
    }
    return await work(parts)
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error
    throw new Error(`${error.message} Stop Intag, run this, and start it again.`, { cause: error })
  } finally {
    await parts.database.close()
    parts.redis?.close()
  }
}

export async function personNamed(users: Pick<Users, 'findByEmail'>, email: string): Promise<StoredUser> {
  const user = await users.findByEmail(email)
  if (!user) throw new Error(`Nobody has the address "${email}".`)
  return user
}
