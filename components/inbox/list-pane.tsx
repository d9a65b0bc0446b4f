import { useQuery } from '@tanstack/react-query'
import { ArrowUp, TriangleAlert } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { lazy, Suspense } from 'react'
import { useIsOnline } from '@/components/browser/browser-tab'
import { useToday } from '@/components/browser/clock'
import { statusQuery } from '@/components/desk/feed-status'
import type { SnapshotInfo } from '@/lib/contract/feed-status'
import type { LeadList } from '@/lib/contract/lead'
import { dayAndTime } from '@/lib/time/format-time'
import { LeadRows } from './lead-rows'
import { ListHeader } from './list-header'
import { ListPlaceholder } from './list-placeholder'
import type { InboxState } from './use-inbox'

const BulkBar = lazy(async () => ({ default: (await import('./bulk-bar')).BulkBar }))

/** The list: its header with the filters, then the rows or what stands in their place. */
export function ListPane({ inbox }: { inbox: InboxState }) {
  const { description, openId, rows, marked } = inbox
  const { data, error } = rows
  const isCutOff = !useIsOnline() || error !== null
  return (
    <section
      data-covered={openId !== null}
      className="flex min-h-0 min-w-0 flex-col bg-panel data-[covered=true]:invisible desk:visible! desk:border-r desk:border-line"
    >
      <ListHeader inbox={inbox} />
      {data !== undefined && <StaleBanner list={description.list} snapshot={data.snapshot} isCutOff={isCutOff} />}
      <div
        className="relative flex min-h-0 flex-1 flex-col"
        onPointerEnter={(event) => inbox.view.setPointed(event.pointerType === 'mouse')}
        onPointerLeave={() => inbox.view.setPointed(false)}
      >
        <WaitingButton count={rows.waiting} onShow={inbox.showWaiting} />
        <Rows inbox={inbox} />
      </div>
      {marked.isMarking && (
        <Suspense>
          <BulkBar inbox={inbox} />
        </Suspense>
      )}
    </section>
  )
}

type StaleBannerProps = {
  list: LeadList
  snapshot: SnapshotInfo
  /** Our own server no longer answers; the rows are what it said last. */
  isCutOff: boolean
}

/** Says in plain words that what is on screen is old, why, and since when. Nothing while all is well. */
function StaleBanner({ list, snapshot, isCutOff }: StaleBannerProps) {
  const t = useTranslations('inbox')
  const locale = useLocale()
  const today = useToday()
  // A fault changes no lead, so the list is not read again for it; the status is.
  const { data: status } = useQuery(statusQuery)
  const { stale, problem, fetchedAt } = status?.lists[list] ?? snapshot
  if (!stale && problem === null && !isCutOff) return null
  const moment = (at: string) => dayAndTime(Date.parse(at), today, locale)
  const when = moment(fetchedAt)
  return (
    <output className="flex gap-2.5 border-b border-line-soft bg-warn px-4 py-2.5 text-sm text-warn-ink">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span suppressHydrationWarning>
        {isCutOff
          ? t('notLive')
          : problem === null
            ? t('problem.stale', { when })
            : t(`problem.${problem.kind}`, { when })}
        {problem !== null && !isCutOff && ` ${t('problem.since', { since: moment(problem.since) })}`}
      </span>
    </output>
  )
}

/** The leads that came while the person was reading, waiting to be shown. */
function WaitingButton({ count, onShow }: { count: number; onShow: () => void }) {
  const t = useTranslations('inbox')
  return (
    <div aria-live="polite" className="pointer-events-none absolute inset-x-0 top-2 z-10 flex justify-center px-4">
      {count > 0 && (
        <button
          type="button"
          title={t('freshHint')}
          onClick={onShow}
          className="tabular pointer-events-auto inline-flex h-8 animate-rise items-center gap-1.5 rounded-full bg-accent pr-4 pl-3 text-sm font-medium text-accent-ink shadow-float hover:bg-accent-strong touch:h-11"
        >
          <ArrowUp aria-hidden className="size-3.5" />
          {t('fresh', { count })}
        </button>
      )}
    </div>
  )
}

/** The rows, or what stands in their place. */
function Rows({ inbox }: { inbox: InboxState }) {
  const { description, filters, rows } = inbox
  if (rows.count > 0) return <LeadRows inbox={inbox} />
  return (
    <ListPlaceholder
      list={description.list}
      error={rows.error}
      isEmpty={rows.data !== undefined && rows.waiting === 0}
      isFiltered={filters.isFiltered}
      onRetry={rows.refetch}
      onClear={filters.clear}
    />
  )
}
