import { eq, type SQL } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Permission } from '@/lib/contract/endpoint'
import type { Db } from '@/server/base/database'
import { ConflictError } from '@/server/base/errors'
import { users } from '@/server/base/schema'
import type { Services } from '@/server/base/services'
import type { ActivityEntry } from './activity'
import { isConsole, requirePermission, type Viewer } from './viewer'

type CommandEntry = Omit<ActivityEntry, 'userId'>

export type CommandLog = {
  (...entries: CommandEntry[]): Promise<void>
  /** Says that there is nothing to log, or that the work has written its entries itself. */
  skip(): void
}

type Work<T> = (tx: Db, log: CommandLog) => Promise<T>

/** Runs a permitted change and its log entry in one transaction. On PGlite a query outside `tx` waits for ever. */
export async function executeCommand<T>(
  { connect, activity }: Pick<Services, 'connect' | 'activity'>,
  viewer: Viewer,
  permission: Permission | 'signed-in',
  work: Work<T>,
): Promise<T> {
  if (permission !== 'signed-in') requirePermission(viewer, permission)
  const db = await connect()
  return db.transaction(async (tx) => {
    let isLogged = false
    const log = async (...entries: CommandEntry[]) => {
      const attributed = entries.map((entry): ActivityEntry => {
        if (!isConsole(viewer)) return { ...entry, userId: viewer.id }
        return { ...entry, userId: null, details: { ...entry.details, console: true } }
      })
      await activity.recordIn(tx, ...attributed)
      if (entries.length > 0) isLogged = true
    }
    log.skip = () => {
      isLogged = true
    }
    const result = await work(tx, log)
    if (!isLogged) throw new Error('A command must call log or log.skip')
    return result
  })
}

/** Runs a command that changes a user's access, and announces it to all instances before it returns. */
export async function executeAccessCommand<T>(
  services: Services,
  viewer: Viewer,
  permission: 'admin' | 'signed-in',
  userId: string,
  work: Work<T>,
): Promise<T> {
  const result = await executeCommand(services, viewer, permission, work)
  await services.announcer.announceUser(userId)
  return result
}

/** Locks the user's row, so that two concurrent commands cannot both pass a limit per user. */
export async function lockUser(tx: Db, { id }: Pick<Viewer, 'id'>) {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, id)).for('no key update')
}

/** Throws `ConflictError` at the limit. Call `lockUser` first. */
export async function checkLimit(tx: Db, table: PgTable, condition: SQL | undefined, max: number, message: string) {
  if ((await tx.$count(table, condition)) >= max) throw new ConflictError(message)
}
