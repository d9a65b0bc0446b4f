import { z } from 'zod'
import { locales } from '@/lib/i18n/locale'
import {
  type AttemptChannel,
  type AttemptOutcome,
  type Lead,
  type LeadKind,
  type LeadRef,
  leadRefSchema,
  type LeadStatus,
} from './lead'

const addresses = z.array(z.string().min(1).max(500)).max(100)
const people = z.array(z.string().min(1).max(200)).min(1).max(100)
const contactId = z.string().min(1).max(100)

/**
 * `POST /api/protections`, administrators: the identity of the person behind a contact is protected from now on, by the e-mails and
 * phones given, each of which one of the contact's leads has; both empty for who left neither. Only `people` (user ids) are
 * shown who it is. Answers `{id}`; 409 when one of them is protected already.
 */
export const newProtectionSchema = z.strictObject({
  contact: contactId,
  emails: addresses,
  phones: addresses,
  people,
  reason: z.string().trim().min(1).max(500),
})
export type NewProtection = z.infer<typeof newProtectionSchema>

/**
 * `PATCH /api/protections/:id`, administrators: other `people`; and for those who are named, the e-mails and phones, of which each
 * is one of before or of the contact's; both empty for who left neither. Views that name the person go again. `DELETE` lifts it:
 * for those who are named.
 */
export const protectionChangeSchema = z
  .strictObject({
    people: people.optional(),
    addresses: z.strictObject({ contact: contactId, emails: addresses, phones: addresses }).optional(),
  })
  .refine((change) => change.people !== undefined || change.addresses !== undefined, { path: ['people'] })
export type ProtectionChange = z.infer<typeof protectionChangeSchema>

type Named = { id: string; name: string }

/** `GET /api/protections`, administrators: answers `{protections, people}`. Who it is about is told to nobody who is not named. */
export type ProtectionEntry = {
  id: string
  /** ISO 8601. */
  since: string
  by: Named | null
  people: Named[]
  /** Who named or struck out whom since, the newest first; `self` where somebody named themselves. */
  changes: { at: string; by: Named; added: Named[]; removed: Named[]; self: boolean }[]
  /** How many leads within the reader's reach it is about now, and of which schools; null while the service has never answered. */
  leads: number | null
  schools: string[]
  /** Null for who is not named. */
  shown: { reason: string; contactId: string | null } | null
}
/** `people` can be named. */
export type ProtectionsAnswer = { protections: ProtectionEntry[]; people: Named[] }

/** What Intag keeps of one lead beside what the service says. */
export type KeptOfLead = LeadRef & {
  createdAt: string
  highSchoolId: string
  name: string | null
  /** In comparable form. */
  email: string | null
  phone: string | null
  /** It came under another name than the contact's newest: perhaps a brother or sister. */
  isOther: boolean
  hasTriage: boolean
  attempts: number
  notes: number
  exports: number
}

/** `GET /api/contacts/:id/rights`, administrators. */
export type ContactRights = {
  leads: KeptOfLead[]
  /** How the leads' person is known, in comparable form. */
  emails: string[]
  phones: string[]
  /** Whether the administrator sees all schools: what is elsewhere is not in here. */
  isWhole: boolean
  protection: { id: string; emails: string[]; phones: string[]; people: string[]; reason: string } | null
  people: Named[]
  naming: NamingText[]
  namingMore: NamingMore[]
}

/** Words of the staff that name the person of some leads (`lib/contacts/named-in-text`), or a view that is a search for them. */
export type NamingText = {
  /** A view (its name and search) goes with an erasure or a protection; an export's purpose and a note on another lead stay. */
  what: 'view' | 'purpose' | 'note'
  /** At most 200 letters of it. */
  text: string
  at: string
  by: string | null
  /** Whose lead a note is on. */
  contactId: string | null
  /** Those of the contact's leads whose person it names. */
  leads: LeadRef[]
}

/** How many further texts of a kind name the person of these leads: of each kind the newest hundred are sent with their words. */
export type NamingMore = Pick<NamingText, 'what' | 'leads'> & { count: number }

const leads = z.array(leadRefSchema).min(1).max(500)

/** `POST /api/contacts/:id/extract`, administrators: everything kept about these of the contact's leads, as a file. */
export const extractRequestSchema = z.strictObject({
  leads,
  language: z.enum(locales),
  format: z.enum(['html', 'json']),
  /** Names of those of the staff who did something; without it, their roles. */
  withStaff: z.boolean().default(false),
})
export type ExtractRequest = z.infer<typeof extractRequestSchema>

/** `POST /api/contacts/:id/erasure`, administrators: what Intag added to these leads is deleted, for good. */
export const erasureRequestSchema = z.strictObject({ leads, confirm: z.literal('erase') })
export type ErasureRequest = z.infer<typeof erasureRequestSchema>
export type ErasureAnswer = {
  leads: number
  triage: number
  attempts: number
  notes: number
  exports: number
  views: number
}

/** Everything that Intag keeps about some leads of one person; moments in ISO 8601. */
export type Extract = {
  madeAt: string
  /** Whether it covers all schools; else only those within reach of whoever made it. */
  isWhole: boolean
  leads: ExtractedLead[]
  /** When somebody who could see these leads opened the person's page by way of another one of theirs. */
  opened: { at: string; by: string }[]
  /** Saved filters that name the leads, or are a search for the person: those with what they say. */
  views: { at: string; by: string; shared: boolean; says: string[] | null }[]
  /** By which e-mails and phones, since what was said, and seen by whom; null where nothing is protected. */
  protection: { emails: string[]; phones: string[]; reason: string; people: string[] } | null
}
export type ExtractedLead = {
  kind: LeadKind
  /** What the service says now, as it says it. */
  fromService: Lead
  school: string
  status: LeadStatus
  assignee: string | null
  decidedAt: string | null
  decidedBy: string | null
  /** Put aside until this day. */
  snoozeUntil: string | null
  attempts: { at: string; by: string; channel: AttemptChannel; outcome: AttemptOutcome }[]
  notes: { at: string; by: string; text: string }[]
  /** Who did what with it: opened, decided, wrote. */
  log: { at: string; by: string; action: string; from: string | null; to: string | null }[]
  exports: { at: string; by: string; format: string; columns: string[]; purpose: string; state: string }[]
}
