import 'server-only'
import type { PeopleAnswer } from '@/lib/contract/people'
import type { SchoolScope } from '@/lib/contract/user'
import { requirePermission } from '@/server/access/require-permission'
import type { Viewer } from '@/server/access/viewer'
import { services } from '@/server/services'
import { mayWorkOnLeads } from './may-work-on-leads'

/** Colleagues who can be assigned leads: those who work on leads of a school that is the viewer's too. */
export async function listPeople(viewer: Viewer): Promise<PeopleAnswer> {
  requirePermission(viewer, 'leads:triage')
  const people = (await services().users.list()).filter(
    (person) => mayWorkOnLeads(person) && shareSchool(viewer.schools, person.schools),
  )
  return { people: people.map(({ id, name }) => ({ id, name })) }
}

function shareSchool(mine: Viewer['schools'], theirs: SchoolScope): boolean {
  if (mine === 'all') return theirs === 'all' || theirs.length > 0
  if (theirs === 'all') return mine.size > 0
  return theirs.some((school) => mine.has(school))
}
