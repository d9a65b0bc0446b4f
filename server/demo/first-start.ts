import 'server-only'
import { eq } from 'drizzle-orm'
import type { Connect } from '@/server/db/database'
import { settings } from '@/server/db/schema'

export type DemoBase = { connect: Connect; now: () => number; env: { demoPast: boolean; redisUrl: string | null } }

const BEGAN = 'demo-past'

/** With Redis each instance invents its own leads. */
export function hasPast({ demoPast, redisUrl }: DemoBase['env']): boolean {
  return demoPast && redisUrl === null
}

/** A demo with a past invents its leads as of its first start at every start, so that what was done with them still fits. */
export async function firstStart({ connect, now, env }: DemoBase): Promise<number> {
  if (!hasPast(env)) return now()
  const db = await connect()
  await db
    .insert(settings)
    .values({ name: BEGAN, value: {}, updatedAt: new Date(now()) })
    .onConflictDoNothing()
  const [first] = await db.select().from(settings).where(eq(settings.name, BEGAN))
  return first?.updatedAt.getTime() ?? now()
}
