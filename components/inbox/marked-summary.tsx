import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { StatusDot } from '@/components/triage/status-dot'
import { Kbd } from '@/components/ui/kbd'
import { listCounts } from '@/lib/api/queries'
import type { LeadStatus } from '@/lib/contract/lead'
import { LEAD_STATUSES } from '@/lib/contract/lists'
import { filterOf } from '@/lib/inbox/filter-params'
import type { InboxState } from './use-inbox'

/** In the place of the open lead while leads are marked: how many, and what they are. */
export function MarkedSummary({ inbox }: { inbox: InboxState }) {
  const t = useTranslations('inbox.marked')
  const status = useTranslations('common.status')
  const counts = useMarkedCounts(inbox)
  return (
    <div className="grid h-full place-content-center justify-items-center gap-4 p-6 text-center">
      <h2 className="tabular text-title font-semibold">{t('count', { count: inbox.marked.count })}</h2>
      <ul className="flex min-h-6 flex-wrap justify-center gap-x-5 gap-y-2 text-sm">
        {LEAD_STATUSES.filter((one) => (counts?.[one] ?? 0) > 0).map((one) => (
          <li key={one} className="flex items-center gap-2">
            <StatusDot status={one} />
            <span>
              {status(one)} <span className="tabular text-mute">{t('ofStatus', { count: counts?.[one] ?? 0 })}</span>
            </span>
          </li>
        ))}
      </ul>
      <p className="max-w-72 text-sm text-pretty text-mute">{t('hint')}</p>
      <p className="text-sm text-mute touch:hidden">{t.rich('esc', { kbd: (key) => <Kbd>{key}</Kbd> })}</p>
    </div>
  )
}

/** The most ids that a filter takes. */
const MOST_IDS = 1_000

/** How many of the marked ones have each status: from the rows while all of them are loaded, else by the server's count. */
function useMarkedCounts({ marked, rows, description, filters }: InboxState) {
  const items = rows.items().filter(({ id }) => marked.ids.has(id))
  const loaded = new Map(items.map(({ id, triage }) => [id, triage.status]))
  const isLoaded = !marked.isAll && loaded.size === marked.ids.size
  const filter = marked.isAll ? filterOf(filters.query) : { id: [...marked.ids].slice(0, MOST_IDS) }
  const { data } = useQuery({
    ...listCounts(description.list, filter),
    enabled: !isLoaded && marked.ids.size <= MOST_IDS,
  })
  if (!isLoaded)
    return data === undefined ? undefined : within(data.status, marked.isAll ? filters.query.status : undefined)
  const counts: Partial<Record<LeadStatus, number>> = {}
  for (const one of loaded.values()) counts[one] = (counts[one] ?? 0) + 1
  return counts
}

/** A count says what each status would show were it chosen; only those that are chosen are marked. */
function within(counts: Readonly<Record<string, number>>, chosen: readonly LeadStatus[] | undefined) {
  const shown = chosen ?? LEAD_STATUSES
  return Object.fromEntries(shown.map((one) => [one, counts[one] ?? 0])) satisfies Partial<Record<string, number>>
}
