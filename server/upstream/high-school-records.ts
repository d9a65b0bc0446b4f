import 'server-only'
import type { HighSchool } from '@/lib/contract/lead'
import {
  idOfUnreadable,
  isFields,
  readId,
  readOptionalText,
  recordReader,
  REPEATED_ID,
  type UnreadableRecord,
} from './record-checks'

/** The answer of `GET /external/highSchools`, parsed: each school once, in the order sent. */
export function readHighSchools(json: unknown): HighSchoolsReading {
  if (!isFields(json)) return { ok: false, detail: 'body: expected object' }
  if (!Array.isArray(json.highSchools)) return { ok: false, detail: 'highSchools: expected array' }
  const schools = new Map<string, HighSchool>()
  const unreadable: UnreadableRecord[] = []
  json.highSchools.forEach((record: unknown, index) => {
    const reading = readHighSchool(record)
    if (!reading.ok) return unreadable.push({ index, id: idOfUnreadable(record), reason: reading.reason })
    const { value: school } = reading
    const known = schools.get(school.id)
    if (known === undefined) schools.set(school.id, school)
    else if (known.name !== school.name) unreadable.push({ index, id: school.id, reason: REPEATED_ID })
  })
  return { ok: true, highSchools: [...schools.values()], unreadable }
}

/** One high school; without a name it goes by its id. */
export const readHighSchool = recordReader((record): HighSchool => {
  const id = readId(record.id)
  return { id, name: readOptionalText(record.name, 'name') ?? id }
})

type HighSchoolsReading =
  | { ok: true; highSchools: readonly HighSchool[]; unreadable: readonly UnreadableRecord[] }
  | { ok: false; detail: string }
