import { FolderInUseError } from '@/server/db/folder-lock'
import { type Services, services } from '@/server/services'
import { claimDatabase } from '@/server/settings/database-mode'
import type { StoredUser, Users } from '@/server/users/users'

/** What somebody at the server's own console may do. */
export type AdminCommand = {
  /** One line, with the arguments it takes. */
  usage: string
  /** Answers what is printed; an error's message is printed, too, and the process ends with 1. */
  run: (args: readonly string[]) => Promise<string>
}

/** Does something with the database of the settings, if it is of their mode and key, and closes it. */
export async function withServices(
  work: (parts: Services) => Promise<string>,
  terms: { isKeyLost?: boolean } = {},
): Promise<string> {
  const parts = services()
  try {
    await claimDatabase(parts, terms)
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
