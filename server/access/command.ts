import 'server-only'
import { eq } from 'drizzle-orm'
import type { Activity, ActivityEntry } from '@/server/activity/activity'
import type { Connect, Db } from '@/server/db/database'
import { users } from '@/server/db/schema'
import type { Permission } from '@/lib/contract/endpoint'
import { allow, isConsole, type Viewer } from './viewer'

/** What a command needs. */
export type CommandParts = { connect: Connect; activity: Pick<Activity, 'recordIn'> }

/** Writes entries of the activity log in the viewer's name, within the command's transaction. */
type CommandLog = {
  (...entries: Omit<ActivityEntry, 'userId'>[]): Promise<void>
  /** Says that nothing was changed, or nothing that the log keeps. */
  nothing(): void
  /** Says that the work wrote its entries itself, as where one statement writes hundreds. */
  written(): void
}

/**
 * A change that somebody makes: the permission, one transaction, and what the log says of it, which stand or fall together.
 * `ForbiddenError` before anything is read; a `work` that never calls `log` is rolled back with an error. Inside,
 * use `tx` alone (PGlite has one connection), and announce the change only after the command, when it holds.
 */
export async function command<T>(
  { connect, activity }: CommandParts,
  viewer: Viewer,
  permission: Permission | 'signed-in',
  work: (tx: Db, log: CommandLog) => Promise<T>,
): Promise<T> {
  if (permission !== 'signed-in') allow(viewer, permission)
  const db = await connect()
  return db.transaction(async (tx) => {
    let isLogged = false
    const write = async (...entries: Omit<ActivityEntry, 'userId'>[]) => {
      await activity.recordIn(tx, ...entries.map((entry) => entryOf(viewer, entry)))
      isLogged ||= entries.length > 0
    }
    const markLogged = () => {
      isLogged = true
    }
    const result = await work(tx, Object.assign(write, { nothing: markLogged, written: markLogged }))
    if (!isLogged) throw new Error('A command ended without a word to the activity log')
    return result
  })
}

/** What is done at the server's console is nobody's among the people, and says where it was done. */
function entryOf(viewer: Viewer, entry: Omit<ActivityEntry, 'userId'>): ActivityEntry {
  if (!isConsole(viewer)) return { ...entry, userId: viewer.id }
  return { ...entry, userId: null, details: { ...entry.details, console: true } }
}

/** Within a command, for what somebody may have so many of: two that count at once would both find room for one more. */
export async function lockPerson(tx: Db, { id }: Pick<Viewer, 'id'>): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, id)).for('no key update')
}
