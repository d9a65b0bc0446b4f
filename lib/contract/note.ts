import { z } from 'zod'
import { leadKindSchema, leadRefSchema } from './lead'

export const noteSchema = z.object({
  id: z.string(),
  /** Empty when it was written under another key and can no longer be read. */
  text: z.string(),
  author: z.object({ id: z.string(), name: z.string() }),
  createdAt: z.string(),
})
export type Note = z.infer<typeof noteSchema>

/** `GET /api/notes?kind=&id=`: the notes on one lead, oldest first. */
export const notesQuerySchema = z.strictObject({ kind: leadKindSchema, id: z.string().min(1).max(500) })
export const notesAnswerSchema = z.object({ notes: z.array(noteSchema) })
export type NotesAnswer = z.infer<typeof notesAnswerSchema>

/** `POST /api/notes` answers the `Note`; `DELETE /api/notes/:id` is for its author and administrators. */
export const newNoteSchema = leadRefSchema.extend({ text: z.string().trim().min(1).max(5_000) }).strict()
export type NewNote = z.infer<typeof newNoteSchema>
