import type { ListReport, ServiceReport } from '@/lib/contract/service-report'
import type { Admin } from '@/server/access/viewer'
import type { Services } from '@/server/base/services'
import type { ListContent } from '@/server/feed/list-source'
import type { ListState } from '@/server/feed/list-state'
import { mapLists, readFeedStatus } from '@/server/leads/feed-status'

/** Reports on the feed without marking it as watched, so that no list is fetched more often because of it. */
export async function readServiceReport(services: Services, _viewer: Admin): Promise<ServiceReport> {
  const { env, feed, providerDiscovery, mailer } = services
  return {
    status: readFeedStatus(services),
    lists: mapLists(feed, toListReport),
    signOn: env.oidc && providerDiscovery && { name: env.oidc.name, problem: await providerDiscovery.explainProblem() },
    mail: mailer?.report() ?? null,
  }
}

export const MAX_SET_ASIDE = 200

export function toListReport({ content, problem }: ListState<ListContent>, recordCount: number | null): ListReport {
  const unreadable = content?.unreadable ?? []
  return {
    records: recordCount,
    problem: problem && { detail: problem.detail },
    setAside: {
      total: unreadable.length,
      records: unreadable.slice(0, MAX_SET_ASIDE).map(({ index, id, reason }) => ({ index, id, reason })),
    },
  }
}
