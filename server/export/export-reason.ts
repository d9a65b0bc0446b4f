import 'server-only'
import { z } from 'zod'
import { matchingSchema } from '@/lib/contract/triage'
import type { Seal } from '@/server/secrets/seal'

/** Why leads left and which were asked for. Both may name a pupil, so they are stored enciphered. */
const reasonSchema = z.object({
  purpose: z.string(),
  matching: matchingSchema.nullable(),
  newOnly: z.boolean(),
})
export type ExportReason = z.infer<typeof reasonSchema>

export function sealReason(id: string, reason: ExportReason, seal: Seal): string {
  return seal.close(JSON.stringify(reason), placeOf(id))
}

/** Null when it was written under another key. A filter of another version of Intag reads as none. */
export function openReason(row: { id: string; sealedReason: string }, seal: Seal): ExportReason | null {
  const text = seal.open(row.sealedReason, placeOf(row.id))
  if (text === null) return null
  const { success, data } = reasonSchema
    .extend({ matching: matchingSchema.nullable().catch(null) })
    .safeParse(parsed(text))
  return success ? data : null
}

function placeOf(id: string): string {
  return `exports ${id}`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
