import 'server-only'
import { eq } from 'drizzle-orm'
import type { Connect, Db } from '@/server/db/database'
import { users } from '@/server/db/schema'
import { type Env, SettingsError } from '@/server/env'
import type { DataKeys, Seal } from '@/server/seal'
import { keepDataKey, refuseOtherKey, requireDataKey } from './data-key'
import { readSetting, writeFirstSetting } from './settings'

const MODE = 'mode'
type Mode = Env['mode']

type Parts = {
  connect: Connect
  env: Pick<Env, 'mode' | 'databaseUrl'>
  dataKeys: DataKeys
  seal: Seal
  now: () => number
}

/** `SettingsError` in the other mode or with another key, before anything is written. */
export async function claimDatabase(parts: Parts, { isKeyLost = false } = {}): Promise<void> {
  const { env, now } = parts
  await requireDatabase(parts, { isKeyLost })
  // Of two instances that are first at once, one says it for both.
  const mode = await writeFirstSetting(await parts.connect(), MODE, env.mode, now())
  if (mode !== env.mode) throw new SettingsError([refusal(env)])
  if (!isKeyLost) await keepDataKey(parts)
}

/** The same refusals, and nothing is written. */
export async function requireDatabase(parts: Parts, { isKeyLost = false } = {}): Promise<void> {
  const { env } = parts
  const db = await parts.connect()
  const mode = (await readSetting(db, MODE)) ?? ((await hasRealPeople(db)) ? 'connected' : env.mode)
  if (mode !== env.mode) throw new SettingsError([refusal(env)])
  if (!isKeyLost) await requireDataKey(parts)
}

/** The first release kept no mode; real people were added by production. */
async function hasRealPeople(db: Db): Promise<boolean> {
  return (await db.select({ id: users.id }).from(users).where(eq(users.demo, false)).limit(1)).length > 0
}

/** Of a database that another process has open: its mode, and what it knows its key by. */
export function refuseOtherDatabase(open: { mode: Mode; canary: string | null }, parts: Pick<Parts, 'env' | 'seal'>) {
  if (open.mode !== parts.env.mode) throw new SettingsError([refusal(parts.env)])
  if (open.canary !== null) refuseOtherKey(open.canary, parts)
}

function refusal({ mode, databaseUrl }: Pick<Env, 'mode' | 'databaseUrl'>): string {
  const place = databaseUrl === null ? 'DATA_DIR' : 'DATABASE_URL'
  return mode === 'demo'
    ? `${place} holds the data of a real service, and a demo never opens those: set LEADS_API_URL, or another ${place} for the demo`
    : `${place} holds the data of a demo, and a real service never takes those over: set another ${place}`
}
