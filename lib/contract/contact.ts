import type { SnapshotInfo } from './feed-status'
import type { AskedQuestionItem, DeclarationOfInterestItem } from './lead'

/**
 * Why a lead belongs: it shares the e-mail or the phone the contact is named by (`anchor`), or one with another of these
 * leads. `sameName` is null where one of the two has no name; false with the same phone may be a brother or sister.
 */
export type ContactReason = {
  by: 'anchor' | 'same-email' | 'same-phone' | 'same-email-and-phone' | 'through-others'
  sameName: boolean | null
}

export type ContactLead =
  | { kind: 'asked-question'; lead: AskedQuestionItem; reason: ContactReason }
  | { kind: 'declaration-of-interest'; lead: DeclarationOfInterestItem; reason: ContactReason }

/** `GET /api/contacts/:id`: every lead of the person within reach, newest first, never merged. */
export type Contact = {
  id: string
  leads: ContactLead[]
  /** Exact, also when `leads` was cut at 500. */
  total: number
  snapshot: SnapshotInfo
}
