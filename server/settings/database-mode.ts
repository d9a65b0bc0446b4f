import 'server-only'
import { eq } from 'drizzle-orm'
import type { Connect, Db } from '@/server/db/database'
import { settings, users } from '@/server/db/schema'
import { type Env, SettingsError } from '@/server/env'
import { readSetting } from './settings'

const MODE = 'mode'
type Mode = Env['mode']

/**
 * A database belongs to the mode of its first start for good. `SettingsError` in the other one: a demo would let anybody in
 * among production's users, and in production whoever was made in a demo would be let in.
 */
export async function claimDatabase(parts: {
  connect: Connect
  env: Pick<Env, 'mode' | 'databaseUrl'>
  now: () => number
}): Promise<void> {
  const { env, now } = parts
  const db = await parts.connect()
  const mode = (await readSetting(db, MODE)) ?? (await modeOfUsers(db)) ?? env.mode
  // Of two instances that are first at once, one says it for both.
  await db
    .insert(settings)
    .values({ name: MODE, value: mode, updatedAt: new Date(now()) })
    .onConflictDoNothing()
  if ((await readSetting(db, MODE)) !== env.mode) throw new SettingsError([refusal(env)])
}

/** Of a database of before this was kept: whoever is real was made by production, as far as anybody can tell. */
async function modeOfUsers(db: Db): Promise<Mode | null> {
  const anyone = (demo: boolean) => db.select({ id: users.id }).from(users).where(eq(users.demo, demo)).limit(1)
  if ((await anyone(false)).length > 0) return 'connected'
  return (await anyone(true)).length > 0 ? 'demo' : null
}

function refusal({ mode, databaseUrl }: Pick<Env, 'mode' | 'databaseUrl'>): string {
  const place = databaseUrl === null ? 'DATA_DIR' : 'DATABASE_URL'
  return mode === 'demo'
    ? `${place} holds the data of a real service, and a demo never opens those: set LEADS_API_URL, or another ${place} for the demo`
    : `${place} holds the data of a demo, and a real service never takes those over: set another ${place}`
}
