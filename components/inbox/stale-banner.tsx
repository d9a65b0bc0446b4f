import { TriangleAlert } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { useToday } from '@/components/browser/clock'
import { useStatus, wordOfProblem } from '@/components/desk/feed-status'
import type { SnapshotInfo } from '@/lib/contract/feed-status'
import type { LeadList } from '@/lib/contract/lead'
import { dayAndTime } from '@/lib/time/format-time'

type StaleBannerProps = {
  list: LeadList
  snapshot: SnapshotInfo
  /** Our own server no longer answers; the rows are what it said last. */
  isCutOff: boolean
}

/** Says in plain words that what is on screen is old, why, and since when. Nothing while all is well. */
export function StaleBanner({ list, snapshot, isCutOff }: StaleBannerProps) {
  const t = useTranslations('inbox')
  const locale = useLocale()
  const today = useToday()
  // A fault changes no lead, so the list is not read again for it; the status is.
  const { data: status } = useStatus()
  const { stale, problem, fetchedAt } = status?.lists[list] ?? snapshot
  if (!stale && problem === null && !isCutOff) return null
  const moment = (at: string) => dayAndTime(Date.parse(at), today, locale)
  const when = moment(fetchedAt)
  return (
    <output className="edge flex gap-2.5 border-b border-line-soft bg-warn py-2.5 text-sm text-warn-ink">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span suppressHydrationWarning>
        {isCutOff
          ? t('notLive')
          : problem === null
            ? t('problem.stale', { when })
            : t(`problem.${wordOfProblem(problem)}`, { when })}
        {problem !== null &&
          !problem.isHeldBack &&
          !isCutOff &&
          ` ${t('problem.since', { since: moment(problem.since) })}`}
      </span>
    </output>
  )
}
