import { z } from 'zod'
import { endpoint, momentSchema, namedRefSchema } from './endpoint'
import { attemptSchema, leadRefSchema, leadStatusSchema } from './lead'
import { MAX_NOTE_LENGTH } from './limits'

const noteSchema = z.strictObject({
  id: z.string(),
  /** The text is empty if the key that encrypted it is gone. */
  text: z.string(),
  author: namedRefSchema,
  createdAt: momentSchema,
})
export type Note = z.infer<typeof noteSchema>

/** `by` is null if no user acted, or if the user's account is gone. */
const authorFields = { at: momentSchema, by: namedRefSchema.nullable() }
const logFields = { ...authorFields, undone: z.literal(true).exactOptional() }

const leadHistoryEventSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('status'), from: leadStatusSchema, to: leadStatusSchema, ...logFields }),
  z.strictObject({ kind: z.literal('assignee'), to: namedRefSchema.nullable(), ...logFields }),
  z.strictObject({ kind: z.literal('snooze'), until: z.string().nullable(), ...logFields }),
  z.strictObject({ kind: z.literal('attempt'), ...attemptSchema.shape, ...logFields }),
  z.strictObject({ kind: z.enum(['note', 'note-deleted']), noteId: z.string(), ...authorFields }),
])
export type LeadHistoryEvent = z.infer<typeof leadHistoryEventSchema>

const strictLeadRefSchema = leadRefSchema.strict()

export const noteEndpoints = {
  'GET /api/notes': endpoint('leads:read', 'A lead’s newest 200 notes, oldest first.', {
    query: strictLeadRefSchema,
    answer: z.strictObject({ notes: z.array(noteSchema) }),
  }),
  'POST /api/notes': endpoint('leads:triage', 'Adds a note.', {
    body: strictLeadRefSchema.extend({ text: z.string().trim().min(1).max(MAX_NOTE_LENGTH) }),
    answer: noteSchema,
    errors: { 409: 'too many on the lead' },
  }),
  'DELETE /api/notes/[id]': endpoint('leads:triage', 'Deletes one, for its author and administrators.'),
  'GET /api/lead-history': endpoint('leads:read', 'What staff did about a lead, the newest 500, oldest first.', {
    query: strictLeadRefSchema,
    answer: z.strictObject({ events: z.array(leadHistoryEventSchema) }),
  }),
  'POST /api/presence': endpoint('leads:read', 'Reports a tab’s open lead, every 10 s; answers who else has it open.', {
    // A page that is closed says so by a beacon, whose JSON comes as text.
    requestTypes: ['application/json', 'text/plain'],
    body: z.strictObject({ tab: z.string().min(16).max(40), lead: leadRefSchema.nullable() }),
    answer: z.strictObject({ others: z.array(namedRefSchema) }),
  }),
}
