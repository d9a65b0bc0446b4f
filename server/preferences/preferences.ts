import 'server-only'
import { and, eq } from 'drizzle-orm'
import type { Connect } from '@/server/db/db'
import { preferences } from '@/server/db/schema'

/** What each person chose, by the name of the choice. */
export function createPreferences(connect: Connect) {
  return {
    /** Null when nothing was chosen. */
    async find(userId: string, name: string): Promise<unknown> {
      const db = await connect()
      const mine = and(eq(preferences.userId, userId), eq(preferences.name, name))
      const [row] = await db.select({ value: preferences.value }).from(preferences).where(mine)
      return row?.value ?? null
    },
    async keep(userId: string, name: string, value: object): Promise<void> {
      const db = await connect()
      await db
        .insert(preferences)
        .values({ userId, name, value })
        .onConflictDoUpdate({ target: [preferences.userId, preferences.name], set: { value } })
    },
  }
}
