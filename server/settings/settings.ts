import 'server-only'
import { eq } from 'drizzle-orm'
import { type AdmissionCycle, admissionCycleSchema, defaultAdmissionCycle } from '@/lib/contract/settings'
import type { z } from 'zod'
import { type ReadingLimits, readingLimitsSchema, usualLimits } from '@/lib/contract/activity'
import { command, type CommandParts } from '@/server/access/command'
import type { Allowed, Viewer } from '@/server/access/viewer'
import type { Connect, Db } from '@/server/db/database'
import { type ActivityDetails, settings as table } from '@/server/db/schema'

export type Settings = ReturnType<typeof createSettings>

export function createSettings(options: { connect: Connect; onUnreachable: (error: unknown) => void }) {
  const lastRead = new Map<string, unknown>()
  return {
    /** The value as stored, null when it was never set. While the database cannot be reached: as last read. */
    read: async (name: string): Promise<unknown> => {
      try {
        lastRead.set(name, await readSetting(await options.connect(), name))
      } catch (error) {
        options.onUnreachable(error)
      }
      return lastRead.get(name) ?? null
    },
  }
}

async function readOr<T>(settings: Settings, name: string, schema: z.ZodType<T>, usual: T): Promise<T> {
  const stored = schema.safeParse(await settings.read(name))
  return stored.success ? stored.data : usual
}

export const ADMISSION_CYCLE = 'admission-cycle'
const READING_LIMITS = 'reading-limits'

export function getAdmissionCycle(
  { settings }: { settings: Settings },
  _viewer: Allowed<'interest:read'>,
): Promise<AdmissionCycle> {
  return readOr(settings, ADMISSION_CYCLE, admissionCycleSchema, defaultAdmissionCycle)
}

export function changeAdmissionCycle(parts: ChangeParts, viewer: Viewer, cycle: AdmissionCycle) {
  return changeSetting(parts, viewer, ADMISSION_CYCLE, cycle)
}

export function readingLimits(settings: Settings): Promise<ReadingLimits> {
  return readOr(settings, READING_LIMITS, readingLimitsSchema, usualLimits)
}

export function getReadingLimits({ settings }: { settings: Settings }, _viewer: Allowed<'admin'>) {
  return readingLimits(settings)
}

/** Sets them for everyone, from the next hour that is written on. */
export function changeReadingLimits(parts: ChangeParts, viewer: Viewer, limits: ReadingLimits) {
  return changeSetting(parts, viewer, READING_LIMITS, limits)
}

export type ChangeParts = CommandParts & { now: () => number }

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

export async function readSetting(db: Db, name: string): Promise<unknown> {
  const [row] = await db.select({ value: table.value }).from(table).where(eq(table.name, name))
  return row?.value ?? null
}

/** Null takes it away. */
export async function writeSetting(db: Db, name: string, value: unknown, now: number): Promise<void> {
  if (value === null) return void (await db.delete(table).where(eq(table.name, name)))
  const row = { name, value, updatedAt: new Date(now) }
  await db.insert(table).values(row).onConflictDoUpdate({ target: table.name, set: row })
}

/** Writes it only where there is none; answers what stands there then. */
export async function writeFirstSetting(db: Db, name: string, value: unknown, now: number): Promise<unknown> {
  const row = { name, value, updatedAt: new Date(now) }
  await db.insert(table).values(row).onConflictDoNothing()
  return readSetting(db, name)
}
