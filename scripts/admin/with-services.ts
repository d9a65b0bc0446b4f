import { FolderInUseError } from '@/server/db/folder-lock'
import { type Services, services } from '@/server/services'
import { claimDatabase } from '@/server/settings/database-mode'
import type { StoredUser, Users } from '@/server/users/users'

/** Does something with the database of the settings, and closes it. One of the other mode is refused, as at the start. */
export async function withServices(work: (parts: Services) => Promise<string>): Promise<string> {
  const parts = services()
  try {
    await claimDatabase(parts)
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
