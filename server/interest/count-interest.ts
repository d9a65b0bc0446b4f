import 'server-only'
import type { AdmissionCycle } from '@/lib/contract/admission-cycle'
import type { InterestQuery } from '@/lib/contract/interest'
import type { SnapshotInfo } from '@/lib/contract/snapshot'
import { defaultCohort } from '@/lib/interest/cohort'
import { epochDay } from '@/lib/interest/epoch-day'
import type { InterestCounts, InterestSelection } from '@/lib/interest/interest-counts'
import type { TimeToHandled } from '@/lib/interest/time-to-handled'
import { inWholeWeeks, withoutFewHandled, withoutSmallGroups } from '@/lib/interest/withheld'
import { stockholmDay } from '@/lib/time/stockholm-day'
import { requirePermission } from '@/server/access/require-permission'
import type { Viewer } from '@/server/access/viewer'
import { current } from '@/server/feed/current'
import { services } from '@/server/services'
import { readAdmissionCycle } from '@/server/settings/admission-cycle'

export type CountedInterest = {
  cohort: number
  cycle: AdmissionCycle
  /** As counted; wider than asked where small groups are withheld. */
  selection: InterestSelection
  isWithheld: boolean
  counts: InterestCounts
  handled: TimeToHandled
  snapshot: SnapshotInfo
}

/**
 * What may be told to this person about the leads in their reach, in counts. `isNarrowed`: the choice makes somebody
 * guessable, so small groups are withheld from who may not read leads. Throws NotReadyError without data.
 */
export async function countInterest(
  viewer: Viewer,
  query: InterestQuery,
  isNarrowed: boolean,
): Promise<CountedInterest> {
  requirePermission(viewer, 'interest:read')
  const { feed, triage, interest } = services()
  const [declarations, questions, ofDeclarations, ofQuestions, cycle] = await Promise.all([
    current(feed.declarations),
    current(feed.askedQuestions),
    triage.current('declaration-of-interest'),
    triage.current('asked-question'),
    readAdmissionCycle(),
  ])
  const isWithheld = isNarrowed && !viewer.permissions.has('leads:read')
  const asked = selectionOf(query)
  const selection = isWithheld ? inWholeWeeks(asked) : asked
  const { counts, handled } = interest({
    declarations: declarations.content.table,
    questions: questions.content.table,
    reach: viewer.schools,
    selection,
    triage: { declarations: ofDeclarations, questions: ofQuestions },
  })
  return {
    cohort: query.cohort ?? defaultCohort(stockholmDay(Date.now()), cycle),
    cycle,
    selection,
    isWithheld,
    counts: isWithheld ? withoutSmallGroups(counts) : counts,
    handled: isWithheld ? withoutFewHandled(handled) : handled,
    snapshot: declarations.snapshot,
  }
}

/** As in the lists, naming no school is naming all. */
function selectionOf({ school = [], from, to }: InterestQuery): InterestSelection {
  return {
    schools: school.length === 0 ? null : new Set(school),
    from: from === undefined ? -Infinity : epochDay(from),
    to: to === undefined ? Infinity : epochDay(to),
  }
}
