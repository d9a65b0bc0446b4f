import { z } from 'zod'
import { readSetting, insertSettingIfAbsent } from '@/server/access/settings'
import { SettingsError } from '@/server/base/env'
import { sealContext } from '@/server/base/seal-context'
import type { Services } from '@/server/base/services'

const MODE_SETTING = 'mode'
/** The setting has a text encrypted with `DATA_KEY`. Decrypting it proves that the key belongs to this database. */
const CANARY_SETTING = 'data-key'
const CANARY_CONTEXT = sealContext.setting(CANARY_SETTING)

const canarySchema = z.object({ sealed: z.string() })

/** Verifies mode and key of the database, and records them at the first start. */
export async function claimDatabase(services: Services) {
  const { env, now, seal } = services
  await verifyDatabaseIdentity(services)
  const db = await services.connect()
  const sealed = seal.encrypt('the key of this database', CANARY_CONTEXT)
  // If several instances start at once, the first records its mode and key, and the others must have the same.
  for (const [name, value] of Object.entries({ [MODE_SETTING]: env.mode, [CANARY_SETTING]: { sealed } })) {
    await insertSettingIfAbsent(db, name, value, now())
    await verifyDatabaseIdentity(services)
  }
}

/** Throws `SettingsError` if the database belongs to the other mode or to another key. Writes nothing. */
export async function verifyDatabaseIdentity({ env, seal, connect }: Services) {
  const db = await connect()
  const setting = env.databaseUrl === null ? 'DATA_DIR' : 'DATABASE_URL'
  const mode = await readSetting(db, MODE_SETTING)
  if (mode !== null && mode !== env.mode)
    throw new SettingsError([
      env.mode === 'demo'
        ? `${setting} holds the data of a real service, and a demo never opens those: set LEADS_API_URL, or another ${setting} for the demo`
        : `${setting} holds the data of a demo, and a real service never takes those over: set another ${setting}`,
    ])
  const canary = canarySchema.safeParse(await readSetting(db, CANARY_SETTING)).data
  if (canary === undefined || seal.decrypt(canary.sealed, CANARY_CONTEXT) !== null) return
  // With another key notes would appear empty and links to contacts would break, without any error.
  throw new SettingsError([
    env.mode === 'demo'
      ? 'DATA_DIR holds a demo that was sealed with other secrets: its demo-secrets.json was deleted or replaced; put it back, or remove DATA_DIR and begin a new demo'
      : 'DATA_KEY is not the key that this database was sealed with: add the key of before behind a comma. If that is lost for good: docs/back-up.md, Keys',
  ])
}
