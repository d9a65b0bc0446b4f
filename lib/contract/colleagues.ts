import { z } from 'zod'
import { leadKindSchema, leadRefSchema } from './lead'

export type Note = {
  id: string
  /** Empty when it was written under another key and can no longer be read. */
  text: string
  author: { id: string; name: string }
  createdAt: string
}

/** `GET /api/notes?kind=&id=`: the notes on one lead, oldest first. */
export const notesQuerySchema = z.strictObject({ kind: leadKindSchema, id: z.string().min(1).max(500) })
export type NotesAnswer = { notes: Note[] }

/** `POST /api/notes` answers the `Note`; `DELETE /api/notes/:id` is for its author and administrators. */
export const newNoteSchema = leadRefSchema.extend({ text: z.string().trim().min(1).max(5_000) }).strict()
export type NewNote = z.infer<typeof newNoteSchema>

/** `POST /api/presence`, from each open tab every 10 s and at every change: the lead that is open there, or null. */
export const presenceSchema = z.strictObject({ tab: z.uuid(), lead: leadRefSchema.nullable() })
export type Presence = z.infer<typeof presenceSchema>

/** Who else has the lead open; each person once. */
export type PresenceAnswer = { others: { id: string; name: string }[] }
