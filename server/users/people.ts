import 'server-only'
import { inArray } from 'drizzle-orm'
import type { Colleague, SchoolScope } from '@/lib/contract/user'
import { awayUntil } from '@/lib/contract/settings'
import { stockholmDay } from '@/lib/time/stockholm'
import { type Allowed, maySee, permissionsOf, type Viewer } from '@/server/access/viewer'
import type { Db } from '@/server/db/database'
import { users } from '@/server/db/schema'
import type { Work } from '@/server/settings/work'
import type { StoredUser, Users } from './users'

/** Colleagues who can be assigned leads: of a school that is the viewer's too, or of this school. */
export async function listPeople(
  { users: store, work, now }: { users: Pick<Users, 'list'>; work: Pick<Work, 'settings'>; now: () => number },
  viewer: Allowed<'leads:triage'>,
  { school }: { school?: string | undefined } = {},
): Promise<{ people: Colleague[] }> {
  const [everyone, { leave }] = await Promise.all([store.list(), work.settings()])
  const today = stockholmDay(now())
  const isWanted = ({ schools }: StoredUser) =>
    school === undefined
      ? shareSchool(viewer.schools, schools)
      : maySee(viewer, school) && (schools === 'all' || schools.includes(school))
  const people = everyone.filter((person) => mayWorkOnLeads(person) && isWanted(person))
  return {
    people: people.map(({ id, name }) => {
      const back = awayUntil(leave, id, today)
      return { id, name, ...(back !== null && { awayUntil: back }) }
    }),
  }
}

function shareSchool(mine: Viewer['schools'], theirs: SchoolScope): boolean {
  if (mine === 'all') return theirs === 'all' || theirs.length > 0
  if (theirs === 'all') return mine.size > 0
  return theirs.some((school) => mine.has(school))
}

export function mayWorkOnLeads({ role, disabled }: Pick<StoredUser, 'role' | 'disabled'>): boolean {
  return !disabled && permissionsOf[role].has('leads:triage')
}

export async function userNames(db: Db, ids: Iterable<string>): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return new Map()
  const rows = await db.select({ id: users.id, name: users.name }).from(users).where(inArray(users.id, wanted))
  return new Map(rows.map(({ id, name }) => [id, name]))
}
