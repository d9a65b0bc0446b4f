import 'server-only'
import { z } from 'zod'
import { comparableEmail, comparablePhone } from '@/lib/contacts/contact-key'
import { leadRefSchema } from '@/lib/contract/lead'
import { placeOf } from '@/server/base/sealed-columns'
import type { Seal } from '@/server/base/seal'

export const protectedPersonSchema = z.object({
  emails: z.array(z.string()),
  phones: z.array(z.string()),
  leads: z.array(leadRefSchema),
  reason: z.string(),
})
export type ProtectedPerson = z.infer<typeof protectedPersonSchema>

export function encryptPerson(seal: Seal, id: string, person: ProtectedPerson): string {
  return seal.encrypt(JSON.stringify(person), placeOf.protectedPerson(id))
}

/**
 * Addresses as they are compared today: those that were stored by the rules of an earlier release go on protecting.
 * Throws under another key: an unreadable protection would show the person to everyone.
 */
export function decryptPerson(seal: Seal, { id, sealedPerson }: { id: string; sealedPerson: string }): ProtectedPerson {
  const text = seal.decrypt(sealedPerson, placeOf.protectedPerson(id))
  if (text === null) throw new Error(`Protected person ${id} cannot be read: was DATA_KEY another when it was written?`)
  const { emails, phones, ...person } = protectedPersonSchema.parse(JSON.parse(text))
  return { ...person, emails: comparable(emails, comparableEmail), phones: comparable(phones, comparablePhone) }
}

function comparable(stored: readonly string[], compare: (text: string) => string | null): string[] {
  return [...new Set(stored.flatMap((text) => compare(text) ?? []))]
}
