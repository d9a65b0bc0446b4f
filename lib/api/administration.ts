import { queryOptions } from '@tanstack/react-query'
import type { ActivityAnswer } from '@/lib/contract/activity'
import type { AdmissionCycle } from '@/lib/contract/admission-cycle'
import type { FeedReport, PurgeHoldsAnswer } from '@/lib/contract/feed-status'
import type { LeadKind, LeadList } from '@/lib/contract/lead'
import type { MailTestAnswer } from '@/lib/contract/mail'
import type { SignInRules } from '@/lib/contract/second-factor'
import type { InvitationAnswer, NewUser, NewUserAnswer, User, UserChange } from '@/lib/contract/user'
import { nothing, queryString, request } from './send'
import { shape } from './shape'

const USERS = '/api/users'

/** Everyone who may sign in, for administrators, as is all of this. */
export const users = queryOptions({
  queryKey: ['users'],
  queryFn: ({ signal }) => request(USERS, { read: shape<{ users: User[] }>({ users: 'array' }), signal }),
  refetchOnWindowFocus: true,
})

export function createUser(user: NewUser): Promise<NewUserAnswer> {
  return request(USERS, {
    method: 'POST',
    body: user,
    read: shape<NewUserAnswer>({ id: 'string', inviteUrl: 'string' }),
  })
}

export function changeUser(id: string, change: UserChange): Promise<void> {
  return request(`${USERS}/${encodeURIComponent(id)}`, { method: 'PATCH', body: change, read: nothing })
}

/** Another link, for a first password or a new one; those before it no longer hold. */
export async function issueLink(id: string): Promise<string> {
  const read = shape<InvitationAnswer>({ inviteUrl: 'string' })
  const { inviteUrl } = await request(`${USERS}/${encodeURIComponent(id)}/invitation`, { method: 'POST', read })
  return inviteUrl
}

/** The provider of single sign-on means nobody here any more until the next sign-in, which goes by e-mail. */
export function unbindUser(id: string): Promise<void> {
  return request(`${USERS}/${encodeURIComponent(id)}/identities`, { method: 'DELETE', read: nothing })
}

export type ActivitySearch = {
  user?: string | undefined
  kind?: LeadKind | undefined
  id?: string | undefined
  action?: string | undefined
}

const ACTIVITY_PAGE = 50

/** Who did what, newest first, from the entry after `before`. */
export function readActivity(
  search: ActivitySearch,
  before: number | undefined,
  signal: AbortSignal,
): Promise<ActivityAnswer> {
  const query = queryString({ ...search, before, limit: ACTIVITY_PAGE })
  const read = shape<ActivityAnswer>({ entries: 'array', hasMore: 'boolean' })
  return request(`/api/activity${query}`, { read, signal })
}

const REPORT_EVERY_MS = 5_000

/** How the lists are fetched. A hidden tab asks for nothing. */
export const feedReportQuery = queryOptions({
  queryKey: ['feed-report'],
  queryFn: ({ signal }) =>
    request('/api/feed-report', { read: shape<FeedReport>({ lists: {}, budget: {}, at: 'string' }), signal }),
  refetchInterval: REPORT_EVERY_MS,
  refetchIntervalInBackground: false,
  refetchOnWindowFocus: true,
})

/** A message to whoever asks, to see whether mail arrives. */
export function sendTestMail(): Promise<MailTestAnswer> {
  return request('/api/status/mail', {
    method: 'POST',
    read: shape<MailTestAnswer>({ outcome: 'string', detail: 'string' }),
  })
}

const HOLDS = '/api/purge-holds'
const HOLDS_EVERY_MS = 60_000

/** Lists that shrank so much that nothing is deleted until somebody agrees. */
export const purgeHolds = queryOptions({
  queryKey: ['purge-holds'],
  queryFn: ({ signal }) => request(HOLDS, { read: shape<PurgeHoldsAnswer>({ holds: 'array' }), signal }),
  refetchInterval: HOLDS_EVERY_MS,
  refetchOnWindowFocus: true,
})

export function agreeToPurge(list: LeadList): Promise<void> {
  return request(HOLDS, { method: 'POST', body: { list }, read: nothing })
}

/** Sets the dates of the admission to high schools for everyone. */
export function saveAdmissionCycle(cycle: AdmissionCycle): Promise<void> {
  return request('/api/admission-cycle', { method: 'PUT', body: cycle, read: nothing })
}

const RULES = '/api/sign-in-rules'

/** Who needs a second factor, and from how many leads on an export asks who it is. */
export const signInRules = queryOptions({
  queryKey: ['sign-in-rules'],
  queryFn: ({ signal }) =>
    request(RULES, { read: shape<SignInRules>({ secondFactorFor: 'array', proofAboveLeads: 'number' }), signal }),
})

export function saveSignInRules(rules: SignInRules): Promise<void> {
  return request(RULES, { method: 'PUT', body: rules, read: nothing })
}
