import 'server-only'
import type { Connect } from '@/server/db/database'
import { settings } from '@/server/db/schema'
import { KEPT_KEY, placeOf } from '@/server/db/sealed-columns'
import { type DataKeys, deriveKey, type Seal } from '@/server/seal'
import { readSetting } from './settings'

export type KeptKeys = {
  /** The key of this purpose, 32 bytes; made at its first use. */
  get: (purpose: string) => Promise<Uint8Array>
}

type Options = { connect: Connect; dataKeys: DataKeys; seal: Seal; now: () => number }

/**
 * Keys that stay the same when `DATA_KEY` is changed, because what they made lies with other people, who would take it for
 * something else. They stand in the settings, sealed, and are sealed anew with everything else.
 */
export function createKeptKeys({ connect, dataKeys, seal, now }: Options): KeptKeys {
  const known = new Map<string, Uint8Array>()
  return {
    get: async (purpose) => {
      const before = known.get(purpose)
      if (before) return before
      const name = `${KEPT_KEY}${purpose}`
      const place = placeOf.setting(name)
      const db = await connect()
      // What was made before it stood here was made with the key of that time.
      const first = deriveKey(dataKeys.previous ?? dataKeys.current, purpose)
      const value = { sealed: seal.close(first.toString('base64'), place) }
      await db
        .insert(settings)
        .values({ name, value, updatedAt: new Date(now()) })
        .onConflictDoNothing()
      const key = openKey(await readSetting(db, name), place, seal) ?? first
      known.set(purpose, key)
      return key
    },
  }
}

function openKey(value: unknown, place: string, seal: Seal): Uint8Array | null {
  if (typeof value !== 'object' || value === null || !('sealed' in value) || typeof value.sealed !== 'string')
    return null
  const text = seal.open(value.sealed, place)
  return text === null ? null : new Uint8Array(Buffer.from(text, 'base64'))
}
