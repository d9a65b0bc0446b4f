import 'server-only'
import { type ReadingLimits, readingLimitsSchema, usualLimits } from '@/lib/contract/reading'
import type { Allowed, Viewer } from '@/server/access/viewer'
import { type ChangeParts, changeSetting, type Settings } from './settings'

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
export function changeReadingLimits(parts: ChangeParts, viewer: Viewer, limits: ReadingLimits) {
  return changeSetting(parts, viewer, READING_LIMITS, limits)
}
