import { eq } from 'drizzle-orm'
import { type AdmissionCycle, admissionCycleSchema, defaultAdmissionCycle } from '@/lib/contract/settings'
import type { Db } from '@/server/base/database'
import { type ActivityDetails, settings as settingsTable } from '@/server/base/schema'
import type { Services } from '@/server/base/services'
import { executeCommand } from './command'
import type { Allowed, Viewer } from './viewer'

export function createSettingCommand<Value extends ActivityDetails>(name: string) {
  return (services: Services, viewer: Viewer, value: Value) =>
    executeCommand(services, viewer, 'admin', async (tx, log) => {
      await writeSetting(tx, name, value, services.now())
      await log({ action: 'settings-changed', details: { setting: name, ...value } })
      return value
    })
}

export async function readSetting(db: Db, name: string): Promise<unknown> {
  const [row] = await db.select({ value: settingsTable.value }).from(settingsTable).where(eq(settingsTable.name, name))
  return row?.value ?? null
}

/** Stores a setting; null removes it. */
export async function writeSetting(db: Db, name: string, value: unknown, nowMs: number) {
  if (value === null) {
    await db.delete(settingsTable).where(eq(settingsTable.name, name))
    return
  }
  const row = { name, value, updatedAt: new Date(nowMs) }
  await db.insert(settingsTable).values(row).onConflictDoUpdate({ target: settingsTable.name, set: row })
}

export async function insertSettingIfAbsent(db: Db, name: string, value: unknown, nowMs: number) {
  const row = { name, value, updatedAt: new Date(nowMs) }
  await db.insert(settingsTable).values(row).onConflictDoNothing()
}

export const ADMISSION_CYCLE = 'admission-cycle'

/** Returns the default if the setting is absent, or unreadable for this release. */
export async function getAdmissionCycle({ connect }: Services, _viewer: Allowed<'interest:read'>) {
  return admissionCycleSchema.catch(defaultAdmissionCycle).parse(await readSetting(await connect(), ADMISSION_CYCLE))
}

export const changeAdmissionCycle = createSettingCommand<AdmissionCycle>(ADMISSION_CYCLE)
