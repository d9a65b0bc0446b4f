import 'server-only'
import { eq } from 'drizzle-orm'
import type { Connect } from '@/server/base/database'
import { settings } from '@/server/base/schema'

type Base = { connect: Connect; now: () => number; env: { demoPast: boolean } }

const BEGAN = 'demo-past'

/** A demo with a past invents its leads as of its first start at every start, so that what was done with them still fits. */
export async function firstStart({ connect, now, env }: Base): Promise<number> {
  if (!env.demoPast) return now()
  const db = await connect()
  const first = { name: BEGAN, value: {}, updatedAt: new Date(now()) }
  await db.insert(settings).values(first).onConflictDoNothing()
  const [stored = first] = await db.select().from(settings).where(eq(settings.name, BEGAN))
  return stored.updatedAt.getTime()
}
