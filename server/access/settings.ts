import 'server-only'
import { eq } from 'drizzle-orm'
import { type AdmissionCycle, admissionCycleSchema, defaultAdmissionCycle } from '@/lib/contract/settings'
import { executeCommand } from './command'
import type { Allowed, Viewer } from './viewer'
import type { Db } from '@/server/base/database'
import { type ActivityDetails, settings as table } from '@/server/base/schema'
import type { Services } from '@/server/base/services'

export const ADMISSION_CYCLE = 'admission-cycle'

export async function getAdmissionCycle({ connect }: Services, _viewer: Allowed<'interest:read'>) {
  return admissionCycleSchema.catch(defaultAdmissionCycle).parse(await readSetting(await connect(), ADMISSION_CYCLE))
}

export function changeAdmissionCycle(services: Services, viewer: Viewer, cycle: AdmissionCycle) {
  return changeSetting(services, viewer, ADMISSION_CYCLE, cycle)
}

export function changeSetting<T extends ActivityDetails>(services: Services, viewer: Viewer, name: string, value: T) {
  return executeCommand(services, viewer, 'admin', async (tx, log) => {
    await writeSetting(tx, name, value, services.now())
    await log({ action: 'settings-changed', details: { setting: name, ...value } })
    return value
  })
}

/** As stored, null if never set. */
export async function readSetting(db: Db, name: string): Promise<unknown> {
  const [row] = await db.select({ value: table.value }).from(table).where(eq(table.name, name))
  return row?.value ?? null
}

export async function writeSetting(db: Db, name: string, value: unknown, now: number): Promise<void> {
  if (value === null) return void (await db.delete(table).where(eq(table.name, name)))
  const row = { name, value, updatedAt: new Date(now) }
  await db.insert(table).values(row).onConflictDoUpdate({ target: table.name, set: row })
}

/** Keeps what another instance has written before. */
export async function insertSetting(db: Db, name: string, value: unknown, now: number): Promise<void> {
  const row = { name, value, updatedAt: new Date(now) }
  await db.insert(table).values(row).onConflictDoNothing()
}
