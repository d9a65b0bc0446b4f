import 'server-only'
import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { LeadList } from '@/lib/contract/lead'
import type { Db } from '@/server/db/db'
import { settings } from '@/server/db/schema'
import { type Hold, holdSchema, type Watch, watchSchema } from './watch-size'

/** What is remembered of the lists between two looks and over restarts, in the settings of the installation. */
export const storedWatch = {
  watch: (db: Db, list: LeadList): Promise<Watch | null> => read(db, `list-watch:${list}`, watchSchema),
  hold: (db: Db, list: LeadList): Promise<Hold | null> => read(db, `purge-hold:${list}`, holdSchema),
  setWatch: (db: Db, list: LeadList, watch: Watch, now: number) => write(db, `list-watch:${list}`, watch, now),
  setHold: async (db: Db, list: LeadList, hold: Hold | null, now: number): Promise<void> => {
    const name = `purge-hold:${list}`
    if (hold) await write(db, name, hold, now)
    else await db.delete(settings).where(eq(settings.name, name))
  },
}

async function read<T>(db: Db, name: string, schema: z.ZodType<T>): Promise<T | null> {
  const [row] = await db.select({ value: settings.value }).from(settings).where(eq(settings.name, name))
  const parsed = schema.safeParse(row?.value)
  return parsed.success ? parsed.data : null
}

async function write(db: Db, name: string, value: Watch | Hold, now: number): Promise<void> {
  const row = { value, updatedAt: new Date(now) }
  await db
    .insert(settings)
    .values({ name, ...row })
    .onConflictDoUpdate({ target: settings.name, set: row })
}
