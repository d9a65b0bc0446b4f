import type { Services } from '@/server/base/services'
import { PERMISSIONS_BY_ROLE } from './permissions'
import type { StoredUser } from './users'
import { type Decider, maySeeSchool } from './viewer'

type SchoolQuery = { school?: string | undefined }

/** Lists whom the viewer can assign leads of `school` to; without it, of any school that both see. */
export async function listColleagues({ users }: Services, viewer: Decider, { school }: SchoolQuery = {}) {
  const isEligible = ({ schools }: StoredUser) => {
    if (school !== undefined) return maySeeSchool(viewer, school) && (schools === 'all' || schools.includes(school))
    if (schools === 'all') return viewer.schools === 'all' || viewer.schools.size > 0
    return schools.some((id) => maySeeSchool(viewer, id))
  }
  const colleagues = (await users.list()).filter((user) => mayWorkOnLeads(user) && isEligible(user))
  return { people: colleagues.map(({ id, name }) => ({ id, name })) }
}

type Account = Pick<StoredUser, 'role' | 'disabled'>
export const mayReadLeads = ({ role, disabled }: Account) => !disabled && PERMISSIONS_BY_ROLE[role].has('leads:read')
export const mayWorkOnLeads = ({ role, disabled }: Account) =>
  !disabled && PERMISSIONS_BY_ROLE[role].has('leads:triage')
