import 'server-only'
import type { Note } from '@/lib/contract/note'
import type { notes } from '@/server/db/schema'
import type { Seal } from '@/server/secrets/seal'

/** Where a note's text stands, so that it can be read in no other row. */
export const notePlace = (id: string) => `notes ${id}`

export function toNote(row: typeof notes.$inferSelect, seal: Seal, names: ReadonlyMap<string, string>): Note {
  const { id, authorId, sealedText, createdAt } = row
  const author = { id: authorId ?? '', name: names.get(authorId ?? '') ?? '' }
  return { id, text: seal.open(sealedText, notePlace(id)) ?? '', author, createdAt: createdAt.toISOString() }
}
