import 'server-only'
import { isNotNull, or, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Connect, Db } from '@/server/db/database'
import { KEPT_KEY, placeOf, type SealedColumn, sealedColumns } from '@/server/db/sealed-columns'
import { type Env, SettingsError } from '@/server/env'
import { type DataKeys, deriveKey, type Seal, sealPrefix } from '@/server/seal'
import { readSetting, writeFirstSetting, writeSetting } from './settings'

/** A text that says nothing, sealed with `DATA_KEY`: who opens it has the key of this database. */
const CANARY = 'data-key'
const PLACE = placeOf.setting(CANARY)

type Parts = {
  connect: Connect
  env: Pick<Env, 'mode'>
  dataKeys: DataKeys
  seal: Seal
  now: () => number
}

/** `SettingsError` under another key: every note would be empty and every link to a contact broken, without a word. */
export async function requireDataKey(parts: Parts): Promise<void> {
  const db = await parts.connect()
  const canary = await canaryIn(db)
  if (canary !== null) refuseOtherKey(canary, parts)
  else if (!(await opensWhatIsThere(db, parts))) throw new SettingsError([refusal(parts.env)])
}

export async function canaryIn(db: Db): Promise<string | null> {
  return sealedIn(await readSetting(db, CANARY))
}

export function refuseOtherKey(canary: string, { seal, env }: Pick<Parts, 'seal' | 'env'>): void {
  if (seal.open(canary, PLACE) === null) throw new SettingsError([refusal(env)])
}

/** Keeps the canary of a database that has none. Of two instances that are first at once, the other must have the same key. */
export async function keepDataKey(parts: Parts): Promise<void> {
  await writeFirstSetting(await parts.connect(), CANARY, newCanary(parts.seal), parts.now())
  await requireDataKey(parts)
}

/** For when the previous key is lost: from now on `DATA_KEY` is this database's. What the lost one sealed stays shut. */
export async function acceptDataKey({ connect, seal, now }: Parts): Promise<void> {
  await writeSetting(await connect(), CANARY, newCanary(seal), now())
}

/** In the form of every sealed setting, so that a change of the key seals it again, too. */
function newCanary(seal: Seal): { sealed: string } {
  return { sealed: seal.close('the key of this database', PLACE) }
}

function sealedIn(value: unknown): string | null {
  return z.object({ sealed: z.string() }).safeParse(value).data?.sealed ?? null
}

/** Of a database from before the canary: nothing is sealed yet, or one of its texts can be opened. */
async function opensWhatIsThere(db: Db, { dataKeys, seal }: Parts): Promise<boolean> {
  const prefixes = [dataKeys.current, ...(dataKeys.previous ? [dataKeys.previous] : [])].map(sealPrefix)
  let isAnythingSealed = false
  for (const column of sealedColumns) {
    const found = await someOf(db, column, prefixes)
    if (found.some(({ id, sealed }) => seal.open(sealed, column.place(id)) !== null)) return true
    isAnythingSealed ||= found.length > 0
  }
  return !isAnythingSealed
}

const TRIED = 20

/** Some texts of a column, those first that name one of our keys; the oldest texts name none. */
function someOf(db: Db, { table, id, sealed }: SealedColumn, prefixes: readonly string[]) {
  const isOurs = or(...prefixes.map((prefix) => sql`starts_with(${sealed}, ${prefix})`))
  return db
    .select({ id, sealed: sql<string>`${sealed}` })
    .from(table)
    .where(isNotNull(sealed))
    .orderBy(sql`case when ${isOurs} then 0 when position('.' in ${sealed}) = 0 then 1 else 2 end`)
    .limit(TRIED)
}

function refusal({ mode }: Pick<Env, 'mode'>): string {
  return mode === 'demo'
    ? 'DATA_DIR holds a demo that was sealed with other secrets: its demo-secrets.json was deleted or replaced; put it back, or remove DATA_DIR and begin a new demo'
    : 'DATA_KEY is not the key that this database was sealed with: start with the key of before (while it is being changed, give that one as DATA_KEY_PREVIOUS). If it is lost for good: npm run admin -- accept-key'
}

export type KeptKeys = ReturnType<typeof createKeptKeys>

/** They stay when `DATA_KEY` is changed, because what they made lies with other people; sealed in the settings. */
export function createKeptKeys({ connect, dataKeys, seal, now }: Omit<Parts, 'env'>) {
  const known = new Map<string, Uint8Array>()
  return {
    /** 32 bytes, made at its first use. */
    get: async (purpose: string): Promise<Uint8Array> => {
      const before = known.get(purpose)
      if (before) return before
      const name = `${KEPT_KEY}${purpose}`
      const place = placeOf.setting(name)
      // What was made before it stood here was made with the key of that time.
      const first = deriveKey(dataKeys.previous ?? dataKeys.current, purpose)
      const value = { sealed: seal.close(first.toString('base64'), place) }
      const sealed = sealedIn(await writeFirstSetting(await connect(), name, value, now()))
      const text = sealed === null ? null : seal.open(sealed, place)
      const key = text === null ? first : new Uint8Array(Buffer.from(text, 'base64'))
      known.set(purpose, key)
      return key
    },
  }
}
