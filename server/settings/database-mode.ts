import 'server-only'
import { eq } from 'drizzle-orm'
import type { Connect, Db } from '@/server/db/database'
import { settings, users } from '@/server/db/schema'
import { type Env, SettingsError } from '@/server/env'
import type { DataKeys, Seal } from '@/server/seal'
import { keepDataKey, refuseOtherKey, requireDataKey } from './data-key'
import { readSetting } from './settings'

const MODE = 'mode'
type Mode = Env['mode']

type Parts = {
  connect: Connect
  env: Pick<Env, 'mode' | 'databaseUrl'>
  dataKeys: DataKeys
  seal: Seal
  now: () => number
}

/**
 * A database belongs to the mode and to the key of its first start. `SettingsError` in the other mode (a demo would let anybody
 * in among production's users, and in production whoever was made in a demo would be let in) and with another key, before
 * anything is written. `isKeyLost`: the key is not asked for.
 */
export async function claimDatabase(parts: Parts, { isKeyLost = false } = {}): Promise<void> {
  const { env, now } = parts
  const db = await parts.connect()
  await requireDatabase(parts, { isKeyLost })
  // Of two instances that are first at once, one says it for both.
  await db
    .insert(settings)
    .values({ name: MODE, value: env.mode, updatedAt: new Date(now()) })
    .onConflictDoNothing()
  if ((await readSetting(db, MODE)) !== env.mode) throw new SettingsError([refusal(env, false)])
  if (!isKeyLost) await keepDataKey(parts)
}

/** The same refusals, and nothing is written. */
export async function requireDatabase(parts: Parts, { isKeyLost = false } = {}): Promise<void> {
  const { env } = parts
  const db = await parts.connect()
  const mode = (await readSetting(db, MODE)) ?? (await modeOfUsers(db)) ?? env.mode
  if (mode !== env.mode) throw new SettingsError([refusal(env, await isDemoWithPeople(db))])
  if (!isKeyLost) await requireDataKey(parts)
}

/** Of a database that another process has open: its mode, and what it knows its key by. */
export function refuseOtherDatabase(
  open: { mode: Mode; canary: string | null },
  parts: Pick<Parts, 'env' | 'seal'>,
): void {
  if (open.mode !== parts.env.mode) throw new SettingsError([refusal(parts.env, false)])
  if (open.canary !== null) refuseOtherKey(open.canary, parts)
}

/** Before a database kept its mode, somebody added people to a demo: it counts as production, and no folder says why. */
async function isDemoWithPeople(db: Db): Promise<boolean> {
  if ((await modeOfUsers(db)) !== 'connected') return false
  return (await db.select({ id: users.id }).from(users).where(eq(users.demo, true)).limit(1)).length > 0
}

/** Of a database of before this was kept: whoever is real was made by production, as far as anybody can tell. */
async function modeOfUsers(db: Db): Promise<Mode | null> {
  const anyone = (demo: boolean) => db.select({ id: users.id }).from(users).where(eq(users.demo, demo)).limit(1)
  if ((await anyone(false)).length > 0) return 'connected'
  return (await anyone(true)).length > 0 ? 'demo' : null
}

function refusal({ mode, databaseUrl }: Pick<Env, 'mode' | 'databaseUrl'>, hasPeople: boolean): string {
  const place = databaseUrl === null ? 'DATA_DIR' : 'DATABASE_URL'
  if (mode === 'demo' && hasPeople)
    return `${place} holds accounts of a demo and people who were added to them, so it counts as a real service's and no demo opens it: set LEADS_API_URL if it is one, else remove it or set another ${place}, and the demo begins anew`
  return mode === 'demo'
    ? `${place} holds the data of a real service, and a demo never opens those: set LEADS_API_URL, or another ${place} for the demo`
    : `${place} holds the data of a demo, and a real service never takes those over: set another ${place}`
}
