import 'server-only'
import { eq } from 'drizzle-orm'
import type { ActivityEntry } from './activity'
import type { Db } from '@/server/base/database'
import { users } from '@/server/base/schema'
import type { Services } from '@/server/base/services'
import type { Permission } from '@/lib/contract/endpoint'
import { requirePermission, isConsole, type Viewer } from './viewer'

type CommandLog = {
  (...entries: Omit<ActivityEntry, 'userId'>[]): Promise<void>
  skip(): void
  /** The work wrote its entries itself, as one statement that writes hundreds does. */
  markWritten(): void
}

/** Permission check, transaction and log entry in one. Use only `tx` inside (PGlite has one connection). */
export async function executeCommand<T>(
  { connect, activity }: Pick<Services, 'connect' | 'activity'>,
  viewer: Viewer,
  permission: Permission | 'signed-in',
  work: (tx: Db, log: CommandLog) => Promise<T>,
): Promise<T> {
  if (permission !== 'signed-in') requirePermission(viewer, permission)
  const db = await connect()
  return db.transaction(async (tx) => {
    let isLogged = false
    const write = async (...entries: Omit<ActivityEntry, 'userId'>[]) => {
      const signed = entries.map((entry) =>
        isConsole(viewer)
          ? { ...entry, userId: null, details: { ...entry.details, console: true } }
          : { ...entry, userId: viewer.id },
      )
      await activity.recordIn(tx, ...signed)
      isLogged ||= entries.length > 0
    }
    const markLogged = () => void (isLogged = true)
    const result = await work(tx, Object.assign(write, { nothing: markLogged, written: markLogged }))
    if (!isLogged) throw new Error('A command ended without a word to the activity log')
    return result
  })
}

/** A command that changes a user's access, announced before it is answered. */
export async function executeAccessCommand<T>(
  services: Services,
  viewer: Viewer,
  permission: 'admin' | 'signed-in',
  userId: string,
  work: (tx: Db, log: CommandLog) => Promise<T>,
): Promise<T> {
  const done = await executeCommand(services, viewer, permission, work)
  await services.announcer.announceUser(userId)
  return done
}

/** For limits per user: two concurrent commands would both find room for one more. */
export async function lockUser(tx: Db, { id }: Pick<Viewer, 'id'>): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, id)).for('no key update')
}
