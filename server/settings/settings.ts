import 'server-only'
import { eq } from 'drizzle-orm'
import { type AdmissionCycle, admissionCycleSchema, defaultAdmissionCycle } from '@/lib/contract/admission-cycle'
import { command, type CommandParts } from '@/server/access/command'
import type { Allowed, Viewer } from '@/server/access/viewer'
import type { Connect, Db } from '@/server/db/database'
import { type ActivityDetails, settings as table } from '@/server/db/schema'

export const ADMISSION_CYCLE = 'admission-cycle'

/** The dates as an administrator set them, else the usual ones. */
export async function getAdmissionCycle(
  { settings }: { settings: Settings },
  _viewer: Allowed<'interest:read'>,
): Promise<AdmissionCycle> {
  const stored = admissionCycleSchema.safeParse(await settings.read(ADMISSION_CYCLE))
  return stored.success ? stored.data : defaultAdmissionCycle
}

/** Sets the dates for everyone. */
export function changeAdmissionCycle(parts: ChangeParts, viewer: Viewer, cycle: AdmissionCycle) {
  return changeSetting(parts, viewer, ADMISSION_CYCLE, cycle)
}

export type ChangeParts = CommandParts & { now: () => number }

/** Sets something for everyone, as an administrator; the log says what. */
export function changeSetting<T extends ActivityDetails>(
  parts: ChangeParts,
  viewer: Viewer,
  name: string,
  value: T,
): Promise<T> {
  return command(parts, viewer, 'admin', async (tx, log) => {
    await writeSetting(tx, name, value, parts.now())
    await log({ action: 'settings-changed', details: { setting: name, ...value } })
    return value
  })
}

export type Settings = {
  /** The value as stored, null when it was never set. While the database cannot be reached: as last read. */
  read: (name: string) => Promise<unknown>
}

/** What holds for the whole installation, for those who must go on without the database. */
export function createSettings(options: { connect: Connect; onUnreachable: (error: unknown) => void }): Settings {
  const lastRead = new Map<string, unknown>()
  return {
    read: async (name) => {
      try {
        lastRead.set(name, await readSetting(await options.connect(), name))
      } catch (error) {
        options.onUnreachable(error)
      }
      return lastRead.get(name) ?? null
    },
  }
}

/** The value as stored; null when there is none. */
export async function readSetting(db: Db, name: string): Promise<unknown> {
  const [row] = await db.select({ value: table.value }).from(table).where(eq(table.name, name))
  return row?.value ?? null
}

export async function writeSetting(db: Db, name: string, value: unknown, now: number): Promise<void> {
  const row = { value, updatedAt: new Date(now) }
  await db
    .insert(table)
    .values({ name, ...row })
    .onConflictDoUpdate({ target: table.name, set: row })
}

export async function deleteSetting(db: Db, name: string): Promise<void> {
  await db.delete(table).where(eq(table.name, name))
}
