import { z } from 'zod'
import { locales } from '@/lib/i18n/locale'
import { type Declared, endpoint, moment, named } from './endpoint'
import {
  type AttemptChannel,
  type AttemptOutcome,
  type Lead,
  type LeadKind,
  leadRefSchema,
  type LeadStatus,
} from './lead'

const addresses = z.array(z.string().min(1).max(500)).max(100)
const people = z.array(z.string().min(1).max(200)).min(1).max(100)
const contactId = z.string().min(1).max(100)

/** Each e-mail and phone is one of the contact's. Only `people` are shown who it is. */
const newProtectionSchema = z.strictObject({
  contact: contactId,
  emails: addresses,
  phones: addresses,
  people,
  reason: z.string().trim().min(1).max(500),
})
export type NewProtection = z.infer<typeof newProtectionSchema>

/** Each e-mail and phone is one of before or of the contact's. */
const protectionChangeSchema = z
  .strictObject({
    people: people.optional(),
    addresses: z.strictObject({ contact: contactId, emails: addresses, phones: addresses }).optional(),
  })
  .refine((change) => change.people !== undefined || change.addresses !== undefined, { path: ['people'] })
export type ProtectionChange = z.infer<typeof protectionChangeSchema>

/** Only named users see whom it is about. */
const protectionEntrySchema = z.strictObject({
  id: z.string(),
  since: moment,
  by: named.nullable(),
  people: z.array(named),
  leads: z.int().nullable(),
  schools: z.array(z.string()),
  shown: z.strictObject({ reason: z.string(), contactId: z.string().nullable() }).nullable(),
})
export type ProtectionEntry = z.infer<typeof protectionEntrySchema>
const protectionsAnswerSchema = z.strictObject({ protections: z.array(protectionEntrySchema), people: z.array(named) })
export type ProtectionsAnswer = z.infer<typeof protectionsAnswerSchema>

const keptOfLeadSchema = leadRefSchema.extend({
  createdAt: z.string(),
  highSchoolId: z.string(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  /** Under another name than the contact's newest: perhaps a sibling. */
  isOther: z.boolean(),
  hasTriage: z.boolean(),
  attempts: z.int(),
  notes: z.int(),
  exports: z.int(),
})
export type KeptOfLead = z.infer<typeof keptOfLeadSchema>

/** Texts of the staff that name the person (`lib/contacts/named-in-text`), or a view that searches for them. */
const namingTextSchema = z.strictObject({
  /** Views and own templates are deleted with an erasure or a protection; purposes and notes on other leads stay. */
  what: z.enum(['view', 'template', 'purpose', 'note']),
  text: z.string(),
  at: moment,
  by: z.string().nullable(),
  contactId: z.string().nullable(),
  /** The contact's leads that it is about. */
  leads: z.array(leadRefSchema),
})
export type NamingText = z.infer<typeof namingTextSchema>

const contactRightsSchema = z.strictObject({
  leads: z.array(keptOfLeadSchema),
  emails: z.array(z.string()),
  phones: z.array(z.string()),
  isWhole: z.boolean(),
  protection: z
    .strictObject({
      id: z.string(),
      emails: z.array(z.string()),
      phones: z.array(z.string()),
      people: z.array(z.string()),
      reason: z.string(),
    })
    .nullable(),
  people: z.array(named),
  /** The newest hundred of each kind. */
  naming: z.array(namingTextSchema),
})
export type ContactRights = z.infer<typeof contactRightsSchema>

const leads = z.array(leadRefSchema).min(1).max(500)

const extractRequestSchema = z.strictObject({
  leads,
  language: z.enum(locales),
  format: z.enum(['html', 'json']),
  withStaff: z.boolean().default(false),
})
export type ExtractRequest = z.infer<typeof extractRequestSchema>

const erasureRequestSchema = z.strictObject({ leads, confirm: z.literal('erase') })
export type ErasureRequest = z.infer<typeof erasureRequestSchema>
const erasureAnswerSchema = z.strictObject({
  leads: z.int(),
  triage: z.int(),
  attempts: z.int(),
  notes: z.int(),
  exports: z.int(),
  views: z.int(),
  templates: z.int(),
})

export type Extract = {
  madeAt: string
  isWhole: boolean
  leads: ExtractedLead[]
  /** Saved filters that name the leads, or search for the person (with what they say). */
  views: { at: string; by: string; shared: boolean; says: string[] | null }[]
  /** Own templates of the staff that have the person's e-mail or phone. */
  templates: { at: string; by: string; text: string }[]
  protection: { emails: string[]; phones: string[]; reason: string; people: string[] } | null
}
export type ExtractedLead = {
  kind: LeadKind
  fromService: Lead
  school: string
  status: LeadStatus
  assignee: string | null
  decidedAt: string | null
  decidedBy: string | null
  snoozeUntil: string | null
  attempts: { at: string; by: string; channel: AttemptChannel; outcome: AttemptOutcome }[]
  notes: { at: string; by: string; text: string }[]
  log: { at: string; by: string; action: string; from: string | null; to: string | null }[]
  exports: { at: string; by: string; format: string; columns: string[]; purpose: string; state: string }[]
}

export const rightsEndpoints = {
  'GET /api/contacts/[id]/rights': endpoint(
    'admin',
    'What is kept of a person’s leads, the protection, texts that name them.',
    { answer: contactRightsSchema },
  ),
  'POST /api/contacts/[id]/extract': endpoint('admin', 'All that is kept about these leads, as a file.', {
    proof: true,
    body: extractRequestSchema,
    content: ['text/html', 'application/json'],
  }),
  'POST /api/contacts/[id]/erasure': endpoint('admin', 'Deletes what Intag added to these leads.', {
    proof: true,
    body: erasureRequestSchema,
    answer: erasureAnswerSchema,
  }),
  'GET /api/protections': endpoint('admin', 'Protected identities, and who can be named.', {
    answer: protectionsAnswerSchema,
  }),
  'POST /api/protections': endpoint('admin', 'Shows a contact’s identity to named users only.', {
    proof: true,
    body: newProtectionSchema,
    answer: z.strictObject({ id: z.string() }),
    errors: { 409: 'protected already, or too many leads share the address' },
  }),
  'PATCH /api/protections/[id]': endpoint('admin', 'Names other users; named callers also change e-mails and phones.', {
    proof: true,
    body: protectionChangeSchema,
    errors: { 403: 'the caller is not named', 409: 'another protection has one' },
  }),
  'DELETE /api/protections/[id]': endpoint('admin', 'Lifts a protection.', {
    proof: true,
    errors: { 403: 'the caller is not named' },
  }),
} satisfies Declared
