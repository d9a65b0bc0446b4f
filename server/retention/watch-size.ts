import 'server-only'
import { z } from 'zod'

/** The size a list is measured against, since when (ms), and when it was last looked at. */
export const watchSchema = z.object({ size: z.int(), sizeAt: z.number(), checkedAt: z.number() })
export type Watch = z.infer<typeof watchSchema>

/** Since when (ms) a list has been much smaller than it was `before`. */
export const holdSchema = z.object({ before: z.int(), after: z.int(), since: z.number() })
export type Hold = z.infer<typeof holdSchema>

export type Watched = {
  watch: Watch
  hold: Hold | null
  /** For how long nobody could tell who was there; it counts as no absence. */
  unknownMs: number
}

const DAY_MS = 24 * 3_600_000
/** Looks that follow each other within this time are unbroken. */
const LONGEST_GAP_MS = 3_600_000
const ENOUGH = 0.9

/**
 * A look at a good list. It is measured against the most it has been within a day, so that losing it piece by piece is sudden
 * too; a list that has come back needs nobody's agreement.
 */
export function watchSize(watch: Watch | null, hold: Hold | null, size: number, now: number): Watched {
  if (watch === null) return { watch: { size, sizeAt: now, checkedAt: now }, hold, unknownMs: 0 }
  const gapMs = now - watch.checkedAt
  const unknownMs = gapMs > LONGEST_GAP_MS ? gapMs : 0
  const looked = { ...watch, checkedAt: now }
  const before = hold?.before ?? watch.size
  if (size < before * ENOUGH) {
    return { watch: looked, hold: { before, after: size, since: hold?.since ?? now }, unknownMs }
  }
  const isNewMeasure = hold !== null || size >= watch.size || now - watch.sizeAt >= DAY_MS
  return { watch: isNewMeasure ? { size, sizeAt: now, checkedAt: now } : looked, hold: null, unknownMs }
}
