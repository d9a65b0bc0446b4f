import 'server-only'
import type { Status } from '@/lib/contract/status'
import { requirePermission } from '@/server/access/require-permission'
import type { Viewer } from '@/server/access/viewer'
import { type ListState, snapshotInfo } from '@/server/feed/list-state'
import { services } from '@/server/services'

/** How fresh each list is and what of the hour's requests is spent. Asking is no look: a forgotten tab costs nothing. */
export async function getStatus(viewer: Viewer): Promise<Status> {
  requirePermission(viewer, 'interest:read')
  const { env, feed, budget } = services()
  const { spentThisHour, perHour } = budget.usage()
  return {
    mode: env.mode,
    now: new Date().toISOString(),
    lists: {
      'asked-questions': snapshotInfo(feed.askedQuestions()),
      'declarations-of-interest': snapshotInfo(feed.declarations()),
      'high-schools': snapshotInfo(feed.highSchools()),
    },
    problems: [feed.askedQuestions(), feed.declarations(), feed.highSchools()].flatMap(problemOf),
    budget: { spentThisHour, perHour },
  }
}

function problemOf({ problem, nextAt }: ListState<unknown>): Status['problems'] {
  if (problem === null) return []
  const retryAt = nextAt === null ? null : new Date(nextAt).toISOString()
  return [{ kind: problem.kind, since: new Date(problem.since).toISOString(), retryAt }]
}
