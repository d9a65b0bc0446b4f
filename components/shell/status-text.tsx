import { useLocale, useTranslations } from 'next-intl'
import { useNow } from '@/components/app/clock'
import { useFeedStatus } from '@/components/app/feed-status'
import { findRemedy, summarizeFeed, toProblemKey } from '@/components/app/feed-summary'
import { useIsOnline } from '@/components/ui/browser-state'
import { cn } from '@/components/ui/cn'
import { Skeleton } from '@/components/ui/loading'
import { formatShortDuration, formatSince } from '@/lib/time/format-time'

const problemClass = 'mt-1 rounded-sm bg-warn px-2 py-1 text-warn-ink'

/** Shows how fresh the lists are: one word while all is well, with the age as title, and a sentence for a fault. */
export function StatusText() {
  const t = useTranslations('status')
  const locale = useLocale()
  const browserNowMs = useNow()
  const { data, isError, dataUpdatedAt } = useFeedStatus()
  const isUnreachable = !useIsOnline() || isError
  // Ages are by the server's clock, because the browser's may be minutes off.
  const nowMs = data && browserNowMs !== null ? browserNowMs + Date.parse(data.now) - dataUpdatedAt : null
  const feed = data && nowMs !== null ? summarizeFeed(data, nowMs) : null
  const snapshot = feed === null || feed.kind === 'starting' ? null : feed
  const problem = feed?.problem ?? null
  const hasFault = feed?.kind === 'late' || problem !== null
  let dotClass = snapshot === null ? 'animate-pulse bg-status-dismissed' : 'bg-status-handled'
  if (isUnreachable || hasFault) dotClass = 'bg-status-progress'
  const age = snapshot && t('ago', { ago: formatShortDuration(snapshot.ageMs, locale) })
  const retryInMs = problem?.retryAt && nowMs !== null ? Math.max(0, Date.parse(problem.retryAt) - nowMs) : null
  const nextFetch = problem
    ? ({ message: 'retryIn', inMs: retryInMs } as const)
    : ({ message: 'nextIn', inMs: snapshot?.nextFetchInMs ?? null } as const)
  return (
    <>
      <p title={age ?? undefined} className="flex min-h-4.5 items-center gap-1.5 font-medium text-ink">
        <span className={cn('size-1.75 shrink-0 rounded-full border border-transparent', dotClass)} />
        {feed === null && !isUnreachable && <Skeleton className="h-3 w-20" />}
        {feed?.kind === 'starting' && <span>{t(problem ? 'noData' : 'starting')}</span>}
        {age !== null && <span>{isUnreachable || hasFault ? age : t('updated')}</span>}
      </p>
      {/* The age is outside of this region, because screen readers would read it aloud at every tick. */}
      <div role="status">
        {isUnreachable && <p className={problemClass}>{t('unreachable')}</p>}
        {!isUnreachable && problem && nowMs !== null && (
          <p className={problemClass}>
            {[
              t('problemSince', {
                problem: t(`problem.${toProblemKey(problem)}`),
                time: formatSince(Date.parse(problem.since), nowMs, locale),
              }),
              ...(snapshot ? [t(`act.${findRemedy(problem)}`), t('shown')] : []),
            ].join(' ')}
          </p>
        )}
        {!isUnreachable && snapshot !== null && snapshot.unreadableCount > 0 && (
          <p className="mt-1">{t('unreadableRecords', { count: snapshot.unreadableCount })}</p>
        )}
      </div>
      {!isUnreachable && hasFault && nextFetch.inMs !== null && (
        <p>
          {nextFetch.inMs < 1_000
            ? t('nextNow')
            : t(nextFetch.message, { time: formatShortDuration(nextFetch.inMs, locale) })}
        </p>
      )}
    </>
  )
}
