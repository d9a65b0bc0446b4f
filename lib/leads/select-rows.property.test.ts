import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DeclarationOfInterest } from '@/lib/contract/lead'
import { isClosed } from '@/lib/contract/lists'
import { DAY_MS } from '@/lib/time/durations'
import { toStockholmDay } from '@/lib/time/stockholm'
import { selectRows } from './select-rows'
import {
  anyFilter,
  anyScope,
  anySettings,
  anyWork,
  type DeclarationFilter,
  NOW,
  VIEWER_ID,
} from './testing/arbitrary-work'
import { unrestrictedContext } from './testing/leads'
import type { TriageEntry } from './triage-entry'
import { createWorkRules } from './work-rules'

const TODAY = toStockholmDay(NOW)
const LAST_VISIT_AT = NOW - 5 * DAY_MS

/** What a filter says about one lead, in the plainest words. A new field needs its reading here. */
type Readings = {
  [Name in keyof Required<DeclarationFilter>]: (wanted: NonNullable<DeclarationFilter[Name]>) => boolean
}
type Known = { entry: TriageEntry | undefined; isEarlier: boolean; dueDay: string | null }

function createReadings(lead: DeclarationOfInterest, { entry, isEarlier, dueDay }: Known): Readings {
  const { status = 'new', assigneeId = null, snoozeUntil = null, answeredAt = null } = entry ?? {}
  const day = toStockholmDay(Date.parse(lead.createdAt))
  const isOpen = !isClosed(status)
  const isSnoozed = isOpen && snoozeUntil !== null && snoozeUntil > TODAY
  const isWaiting = isOpen && answeredAt === null && !isSnoozed && !isEarlier
  const isLate = isWaiting && dueDay !== null && dueDay < TODAY
  return {
    id: (ids) => ids.includes(lead.id),
    school: (ids) => ids.includes(lead.highSchoolId),
    year: (years) => years.some((year) => year === lead.user.highSchoolEnrollmentYear),
    status: (statuses) => statuses.includes(status),
    assignee: (ids) => ids.some((id) => (id === 'me' ? VIEWER_ID : id) === (assigneeId ?? 'none')),
    q: (text) => lead.user.firstName?.toLowerCase().replace('å', 'a') === text,
    from: (first) => day >= first,
    to: (last) => day <= last,
    fresh: (isWanted) => !isWanted || Date.parse(lead.createdAt) > LAST_VISIT_AT,
    answered: (isWanted) => (answeredAt !== null) === isWanted,
    waiting: (isWanted) => isWaiting === isWanted,
    late: (isWanted) => isLate === isWanted,
    snoozed: (isWanted) => isSnoozed === isWanted,
    followUp: (isWanted) => (isOpen && snoozeUntil !== null && !isSnoozed) === isWanted,
    earlier: (isWanted) => isEarlier === isWanted,
  }
}

test('a filter selects the leads in scope for which each of its fields is true, newest first', () => {
  fc.assert(
    fc.property(anyWork, anyFilter, anySettings, anyScope, ({ leads, table, triage }, filter, settings, schools) => {
      const work = createWorkRules('declaration-of-interest', NOW, settings)
      const isSelected = (lead: DeclarationOfInterest) => {
        const { highSchoolEnrollmentYear: year } = lead.user
        const arrival = Date.parse(lead.createdAt)
        const isBeforeWork = settings.firstDay !== null && toStockholmDay(arrival) < settings.firstDay
        const isEarlier = isBeforeWork || (year !== null && settings.openYear !== null && year < settings.openYear)
        const known = { entry: triage.get(lead.id), isEarlier, dueDay: work.toDueDay(arrival) }
        const readings: Record<string, (wanted: never) => boolean> = createReadings(lead, known)
        const isInScope = schools === 'all' || schools.has(lead.highSchoolId)
        return isInScope && Object.entries(filter).every(([name, wanted]) => readings[name]?.(wanted as never))
      }
      const context = { ...unrestrictedContext, viewerId: VIEWER_ID, schools, lastVisitAt: LAST_VISIT_AT, triage, work }
      const selected = Array.from(selectRows(table, filter, context), (row) => table.id[row])
      const newestFirst = table.id.filter((id) => leads.some((lead) => lead.id === id && isSelected(lead)))
      expect(selected).toEqual(newestFirst)
    }),
    { numRuns: 3_000 },
  )
})
