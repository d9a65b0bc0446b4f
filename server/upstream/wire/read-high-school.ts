import 'server-only'
import type { HighSchool } from '@/lib/contract/lead'
import { readId, readOptionalText, recordReader } from './reading'

/** One high school; without a name it goes by its id. */
export const readHighSchool = recordReader((record): HighSchool => {
  const id = readId(record.id)
  return { id, name: readOptionalText(record.name, 'name') ?? id }
})
