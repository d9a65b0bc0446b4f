import 'server-only'
import { type ReadingLimits, readingLimitsSchema, usualLimits } from '@/lib/contract/reading'
import { command, type CommandParts } from '@/server/access/command'
import type { Allowed, Viewer } from '@/server/access/viewer'
import { type Settings, writeSetting } from './settings'

const READING_LIMITS = 'reading-limits'

/** What is more than usual within an hour, as an administrator set it, else as it is at first. */
export async function readingLimits(settings: Settings): Promise<ReadingLimits> {
  const stored = readingLimitsSchema.safeParse(await settings.read(READING_LIMITS))
  return stored.success ? stored.data : usualLimits
}

export function getReadingLimits(
  { settings }: { settings: Settings },
  _viewer: Allowed<'admin'>,
): Promise<ReadingLimits> {
  return readingLimits(settings)
}

/** Sets them for everyone, from the next hour that is written on. */
export async function changeReadingLimits(
  parts: CommandParts & { now: () => number },
  viewer: Viewer,
  limits: ReadingLimits,
): Promise<ReadingLimits> {
  return command(parts, viewer, 'admin', async (tx, log) => {
    await writeSetting(tx, READING_LIMITS, limits, parts.now())
    await log({ action: 'settings-changed', details: { setting: READING_LIMITS, ...limits } })
    return limits
  })
}
