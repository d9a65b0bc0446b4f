import 'server-only'
import type { HighSchool } from '@/lib/contract/lead'
import { readHighSchool } from './read-high-school'
import { isFields } from './reading'
import { idOfUnreadable, REPEATED_ID, type UnreadableRecord } from './unreadable-record'

export type HighSchoolsReading =
  | { ok: true; highSchools: readonly HighSchool[]; unreadable: readonly UnreadableRecord[] }
  | { ok: false; detail: string }

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
