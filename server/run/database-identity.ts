import 'server-only'
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Connect, Db } from '@/server/base/database'
import { users } from '@/server/base/schema'
import { placeOf } from '@/server/base/sealed-columns'
import { calledAs, type Env, SettingsError } from '@/server/base/env'
import { type DataKeys, keyId, keysOf, type Seal } from '@/server/base/seal'
import { readSetting, writeFirstSetting, writeSetting } from '@/server/access/settings'

type Parts = {
  connect: Connect
  env: Pick<Env, 'mode' | 'databaseUrl'>
  dataKeys: DataKeys
  seal: Seal
  now: () => number
}

const MODE = 'mode'
/** A known text sealed with `DATA_KEY`: opening it proves that the key is this database's. */
const CANARY = 'data-key'
const PLACE = placeOf.setting(CANARY)

/** `SettingsError` in the other mode or with another key, before anything is written. */
export async function claimDatabase(parts: Parts, { isKeyLost = false } = {}): Promise<void> {
  const { env, now, seal } = parts
  await requireDatabase(parts, { isKeyLost })
  const db = await parts.connect()
  // Of two instances that start at once, one decides for both: the other needs the same mode and key.
  refuseOtherMode(await writeFirstSetting(db, MODE, env.mode, now()), env)
  if (isKeyLost) return
  await writeFirstSetting(db, CANARY, newCanary(seal), now())
  await requireDataKey(db, parts)
}

/** Writes nothing. */
export async function requireDatabase(parts: Parts, { isKeyLost = false } = {}): Promise<void> {
  const { env } = parts
  const db = await parts.connect()
  // The first release stored no mode; only production adds real users.
  const isReal = async () => (await db.$count(users, eq(users.demo, false))) > 0
  refuseOtherMode((await readSetting(db, MODE)) ?? ((await isReal()) ? 'connected' : env.mode), env)
  if (!isKeyLost) await requireDataKey(db, parts)
}

/** For a database that another process has open, which says its mode and the id of its key. */
export function refuseOtherDatabase(
  open: { mode: Env['mode']; key: string },
  { env, dataKeys }: { env: Parts['env']; dataKeys: DataKeys },
): void {
  refuseOtherMode(open.mode, env)
  if (!keysOf(dataKeys).some((key) => keyId(key).toString('base64url') === open.key)) throw keyRefused(env)
}

function refuseOtherMode(mode: unknown, env: Parts['env']): void {
  if (mode === env.mode) return
  const place = env.databaseUrl === null ? 'DATA_DIR' : 'DATABASE_URL'
  throw new SettingsError([
    env.mode === 'demo'
      ? `${place} holds the data of a real service, and a demo never opens those: set LEADS_API_URL, or another ${place} for the demo`
      : `${place} holds the data of a demo, and a real service never takes those over: set another ${place}`,
  ])
}

/** Under another key notes would silently be empty and links to contacts broken. */
async function requireDataKey(db: Db, parts: Parts): Promise<void> {
  const canary = sealedIn(await readSetting(db, CANARY))
  if (canary !== null && parts.seal.decrypt(canary, PLACE) === null) throw keyRefused(parts.env)
}

function keyRefused({ mode }: Pick<Env, 'mode'>): SettingsError {
  return new SettingsError([
    mode === 'demo'
      ? 'DATA_DIR holds a demo that was sealed with other secrets: its demo-secrets.json was deleted or replaced; put it back, or remove DATA_DIR and begin a new demo'
      : `DATA_KEY is not the key that this database was sealed with: start with the key of before (once it is changed, as DATA_KEY_PREVIOUS). If it is lost for good: ${calledAs('admin')} accept-key`,
  ])
}

/** For a lost key: from now on `DATA_KEY` is this database's. Texts sealed with the lost one stay unreadable. */
export async function acceptDataKey({ connect, seal, now }: Pick<Parts, 'connect' | 'seal' | 'now'>): Promise<void> {
  await writeSetting(await connect(), CANARY, newCanary(seal), now())
}

function newCanary(seal: Seal): { sealed: string } {
  return { sealed: seal.encrypt('the key of this database', PLACE) }
}

function sealedIn(value: unknown): string | null {
  return z.object({ sealed: z.string() }).safeParse(value).data?.sealed ?? null
}
