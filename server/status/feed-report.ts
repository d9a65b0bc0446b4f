import 'server-only'
import type { FeedReport } from '@/lib/contract/feed-report'
import { requirePermission } from '@/server/access/require-permission'
import type { Viewer } from '@/server/access/viewer'
import { services } from '@/server/services'
import { budgetRules } from '@/server/upstream/budget-rules'
import { highSchoolsReport, leadsReport } from './list-report'

/** How the lists are fetched, for administrators. Asking is no look: an open status page does not speed the feed up. */
export async function feedReport(viewer: Viewer): Promise<FeedReport> {
  requirePermission(viewer, 'admin')
  const { env, feed, budget } = services()
  const now = Date.now()
  const { spentThisHour, perHour, perSecond } = budget.usage()
  const { list, lookup } = budgetRules(env.limits).hour.places
  return {
    at: new Date(now).toISOString(),
    lists: {
      'asked-questions': leadsReport(feed.askedQuestions(), now),
      'declarations-of-interest': leadsReport(feed.declarations(), now),
      'high-schools': highSchoolsReport(feed.highSchools()),
    },
    budget: { spentThisHour, perHour, perSecond, shares: { lists: list, lookups: lookup } },
  }
}
