import 'server-only'
import { isNotNull, or, sql } from 'drizzle-orm'
import type { Connect, Db } from '@/server/db/database'
import { settings } from '@/server/db/schema'
import { placeOf, type SealedColumn, sealedColumns } from '@/server/db/sealed-columns'
import { type Env, SettingsError } from '@/server/env'
import { type DataKeys, type Seal, sealPrefix } from '@/server/seal'
import { readSetting, writeSetting } from './settings'

/** A text that says nothing, sealed with `DATA_KEY`: whoever opens it has the key of this database. */
const CANARY = 'data-key'
const PLACE = placeOf.setting(CANARY)

type Parts = {
  connect: Connect
  env: Pick<Env, 'mode'>
  dataKeys: DataKeys
  seal: Seal
  now: () => number
}

/**
 * Whether `DATA_KEY`, or the key before it, is the one that this database is sealed with; nothing is written. `SettingsError`
 * with another, with which every note would be empty and every link to a contact lead nowhere, in silence.
 */
export async function requireDataKey(parts: Parts): Promise<void> {
  const db = await parts.connect()
  const canary = await canaryIn(db)
  if (canary !== null) refuseOtherKey(canary, parts)
  else if (!(await opensWhatIsThere(db, parts))) throw new SettingsError([refusal(parts.env)])
}

/** What a database knows its key by; null before its first start. */
export async function canaryIn(db: Db): Promise<string | null> {
  return sealedIn(await readSetting(db, CANARY))
}

/** `SettingsError` where the key is another one than this was sealed with. */
export function refuseOtherKey(canary: string, { seal, env }: Pick<Parts, 'seal' | 'env'>): void {
  if (seal.open(canary, PLACE) === null) throw new SettingsError([refusal(env)])
}

/** Keeps the canary of a database that has none. Of two instances that are first at once, the other must have the same key. */
export async function keepDataKey(parts: Parts): Promise<void> {
  const db = await parts.connect()
  await db
    .insert(settings)
    .values({ name: CANARY, value: newCanary(parts.seal), updatedAt: new Date(parts.now()) })
    .onConflictDoNothing()
  await requireDataKey(parts)
}

/** For when the key of before is lost: from now on `DATA_KEY` is this database's. What the lost one sealed stays shut. */
export async function acceptDataKey({ connect, seal, now }: Parts): Promise<void> {
  await writeSetting(await connect(), CANARY, newCanary(seal), now())
}

/** Sealed anew with everything else when the key is changed, because it stands as every sealed setting does. */
function newCanary(seal: Seal): { sealed: string } {
  return { sealed: seal.close('the key of this database', PLACE) }
}

function sealedIn(value: unknown): string | null {
  const isSealed = typeof value === 'object' && value !== null && 'sealed' in value && typeof value.sealed === 'string'
  return isSealed ? String(value.sealed) : null
}

/** Of a database from before the canary: nothing is sealed yet, or one of its texts can be opened. */
async function opensWhatIsThere(db: Db, { dataKeys, seal }: Parts): Promise<boolean> {
  const prefixes = [dataKeys.current, ...(dataKeys.previous ? [dataKeys.previous] : [])].map(sealPrefix)
  let isAnythingSealed = false
  for (const column of sealedColumns) {
    const found = await oneOf(db, column, prefixes)
    if (found.some(({ id, sealed }) => seal.open(sealed, column.place(id)) !== null)) return true
    isAnythingSealed ||= found.length > 0
  }
  return !isAnythingSealed
}

const TRIED = 20

/** Some texts of a column, those first that say that they need one of our keys; texts from long ago say nothing. */
function oneOf(db: Db, { table, id, sealed }: SealedColumn, prefixes: readonly string[]) {
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
