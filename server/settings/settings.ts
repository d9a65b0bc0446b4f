import 'server-only'
import { eq } from 'drizzle-orm'
import type { Connect } from '@/server/db/db'
import { settings } from '@/server/db/schema'

export type Settings = {
  /** The value as stored, null when it was never set. While the database cannot be reached: as last read. */
  read: (name: string) => Promise<unknown>
  write: (name: string, value: unknown) => Promise<void>
}

/** What administrators set for everyone. */
export function createSettings(options: {
  connect: Connect
  now: () => number
  onUnreachable: (error: unknown) => void
}): Settings {
  const lastRead = new Map<string, unknown>()
  return {
    read: async (name) => {
      try {
        const db = await options.connect()
        const [row] = await db.select({ value: settings.value }).from(settings).where(eq(settings.name, name))
        lastRead.set(name, row?.value ?? null)
      } catch (error) {
        options.onUnreachable(error)
      }
      return lastRead.get(name) ?? null
    },
    write: async (name, value) => {
      const row = { value, updatedAt: new Date(options.now()) }
      const db = await options.connect()
      await db
        .insert(settings)
        .values({ name, ...row })
        .onConflictDoUpdate({ target: settings.name, set: row })
    },
  }
}
