import 'server-only'
import { swedishSortKey } from '@/lib/leads/swedish-sort-key'
import { services } from '@/server/services'

/** Answers the key to order a school by: its name, or its id when the service does not list it. */
export function schoolSortKeys(): (highSchoolId: string) => string {
  const schools = services().feed.highSchools().content?.highSchools ?? []
  const names = new Map(schools.map(({ id, name }) => [id, name]))
  return (id) => swedishSortKey(names.get(id) ?? id)
}
