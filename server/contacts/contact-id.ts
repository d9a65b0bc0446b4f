import 'server-only'
import { createHmac } from 'node:crypto'
import type { AskedQuestion, DeclarationOfInterest, LeadKind } from '@/lib/contract/lead'
import { toE164 } from '@/lib/phone/to-e164'

export type ContactIdOf = (kind: LeadKind, lead: AskedQuestion | DeclarationOfInterest) => string

/**
 * Names the person behind a lead without telling anything about them: a keyed hash of the e-mail, else of the phone, so that
 * leads by the same e-mail share an id and nobody can test a guess without the key. A lead with neither is its own contact.
 */
export function createContactIdOf(key: Uint8Array): ContactIdOf {
  return (kind, lead) => {
    const { email, phone } = 'user' in lead ? lead.user : lead.sender
    return createHmac('sha256', key)
      .update(contactKey(kind, lead.id, email, phone))
      .digest('base64url')
      .slice(0, 22)
  }
}

function contactKey(kind: LeadKind, id: string, email: string | null, phone: string | null): string {
  if (email !== null && email.trim() !== '') return `email:${email.trim().toLowerCase()}`
  if (phone !== null && phone.trim() !== '') return `phone:${toE164(phone) ?? phone.trim()}`
  return `lead:${kind}:${id}`
}
