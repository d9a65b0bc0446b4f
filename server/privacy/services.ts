import 'server-only'
import type { LeadKind } from '@/lib/contract/lead'
import type { AccessServices } from '@/server/access/services'
import type { BaseServices } from '@/server/base/services'
import type { FeedServices } from '@/server/feed/services'
import type { LeadServices } from '@/server/leads/services'
import { createRetention } from './retention'

declare module '@/server/base/services' {
  interface Services extends PrivacyServices {}
}

type PrivacyServices = ReturnType<typeof createPrivacyServices>
type Lower = BaseServices & FeedServices & AccessServices & LeadServices

export function createPrivacyServices(lower: Lower) {
  const { feed } = lower
  const stateOf = { 'asked-question': feed.askedQuestions, 'declaration-of-interest': feed.declarations }
  const listNow = (kind: LeadKind) => {
    const { content, problem } = stateOf[kind]()
    return problem === null && content !== null ? content.table : null
  }
  return { retention: createRetention({ ...lower, listNow, months: lower.env.retentionMonths }) }
}
