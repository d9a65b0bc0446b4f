import { queryOptions } from '@tanstack/react-query'
import type { LeadList } from '@/lib/contract/lead'
import { LEAD_LISTS } from '@/lib/contract/lists'
import type { LeadFilter, ListCounts } from '@/lib/contract/list-query'
import type { WorkSettings, WorkSettingsChange } from '@/lib/contract/work-settings'
import { requestCounts } from './list-choices'
import { request } from './send'
import { shape } from './shape'

const read = shape<WorkSettings>({ goals: {}, calendar: 'array', replyTo: {} })

/** For everybody, by an administrator; what is not given stays. */
export function changeWorkSettings(change: WorkSettingsChange): Promise<WorkSettings> {
  return request('/api/settings', { method: 'PATCH', body: change, read })
}

/** Of one list: what somebody would have to answer, and what would be earlier. */
type WorkPreview = Record<LeadList, { work: number; earlier: number }>

const PREVIEW_STALE_MS = 30_000

/** What would be work were this day chosen, by numbers that say nothing of what is chosen now. `openYear`: the first cohort still open. */
export function workPreview(from: string | null, openYear: number) {
  return queryOptions({
    queryKey: ['work-preview', from, openYear],
    queryFn: async ({ signal }): Promise<WorkPreview> => {
      const lists = await Promise.all(LEAD_LISTS.map((list) => previewOf(list, from, openYear, signal)))
      const [questions, declarations] = lists
      const none = { work: 0, earlier: 0 }
      return { 'asked-questions': questions ?? none, 'declarations-of-interest': declarations ?? none }
    },
    staleTime: PREVIEW_STALE_MS,
  })
}

async function previewOf(list: LeadList, from: string | null, openYear: number, signal: AbortSignal) {
  const since: LeadFilter = from === null ? {} : { from }
  const open: LeadFilter = { status: ['new', 'in-progress'], answered: false, snoozed: false }
  const [all, later, asking] = await Promise.all(
    [{}, since, { ...since, ...open }].map((filter) => requestCounts(list, filter, signal)),
  )
  const kept = later === undefined ? 0 : ofOpenYears(later, openYear)
  return { work: asking === undefined ? 0 : ofOpenYears(asking, openYear), earlier: (all?.total ?? 0) - kept }
}

/** All but those of cohorts whose admission is over. */
function ofOpenYears({ total, year }: Pick<ListCounts, 'total' | 'year'>, openYear: number): number {
  return Object.entries(year).reduce((rest, [one, count]) => (Number(one) < openYear ? rest - count : rest), total)
}
