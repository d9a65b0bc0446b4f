import 'server-only'
import { inArray } from 'drizzle-orm'
import type { PeopleAnswer, SchoolScope } from '@/lib/contract/user'
import { type Allowed, permissionsOf, type Viewer } from '@/server/access/viewer'
import type { Db } from '@/server/db/database'
import { users } from '@/server/db/schema'
import type { StoredUser, Users } from './users'

/** Colleagues who can be assigned leads: those who work on leads of a school that is the viewer's too. */
export async function listPeople(
  { users: store }: { users: Pick<Users, 'list'> },
  viewer: Allowed<'leads:triage'>,
): Promise<PeopleAnswer> {
  const everyone = await store.list()
  const people = everyone.filter((person) => mayWorkOnLeads(person) && shareSchool(viewer.schools, person.schools))
  return { people: people.map(({ id, name }) => ({ id, name })) }
}

function shareSchool(mine: Viewer['schools'], theirs: SchoolScope): boolean {
  if (mine === 'all') return theirs === 'all' || theirs.length > 0
  if (theirs === 'all') return mine.size > 0
  return theirs.some((school) => mine.has(school))
}

/** Whether leads can be assigned to this person at all. */
export function mayWorkOnLeads({ role, disabled }: Pick<StoredUser, 'role' | 'disabled'>): boolean {
  return !disabled && permissionsOf[role].has('leads:triage')
}

/** The names of these people; who no longer exists is missing. */
export async function userNames(db: Db, ids: Iterable<string>): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return new Map()
  const rows = await db.select({ id: users.id, name: users.name }).from(users).where(inArray(users.id, wanted))
  return new Map(rows.map(({ id, name }) => [id, name]))
}
