import { useLocale, useTranslations } from 'next-intl'
import { useIsOnline } from '@/components/browser/browser-tab'
import { useNow } from '@/components/browser/clock'
import { type FeedState, feedState } from '@/components/desk/feed-state'
import { problemAct, problemKey, useStatus } from '@/components/desk/feed-status'
import { cn } from '@/components/ui/cn'
import { Skeleton } from '@/components/ui/loading'
import { shortDuration, sinceTime } from '@/lib/time/format-time'

/** Calm while all is well: the moment and the next one are its description. What is wrong is said in words. */
export function StatusText() {
  const t = useTranslations('status')
  const now = useNow()
  const { data, isError, dataUpdatedAt } = useStatus()
  const isCut = !useIsOnline() || isError
  // Ages go by the server's clock: this one may be minutes off.
  const serverNow = data && now !== null ? now + Date.parse(data.now) - dataUpdatedAt : null
  const state = data && serverNow !== null ? feedState(data, serverNow) : null
  const snapshot = state === null || state.kind === 'starting' ? null : state
  const isLate = state !== null && (state.kind === 'late' || state.problem !== null)
  return (
    <>
      <Headline state={state} isCut={isCut} isLate={isLate} />
      {/* Announced once when it appears, not with every tick. */}
      <div role="status">
        {isCut && <p className={problemClass}>{t('unreachable')}</p>}
        {!isCut && state?.problem && <Problem problem={state.problem} isKnown={snapshot !== null} now={now ?? 0} />}
        {!isCut && snapshot !== null && snapshot.unreadable > 0 && (
          <p className="mt-1">{t('unreadableRecords', { count: snapshot.unreadable })}</p>
        )}
      </div>
      {!isCut && isLate && (
        <p>
          <NextUp state={state} />
        </p>
      )}
    </>
  )
}

const problemClass = 'mt-1 rounded-sm bg-warn px-2 py-1 text-warn-ink'

function Headline({ state, isCut, isLate }: { state: FeedState | null; isCut: boolean; isLate: boolean }) {
  const t = useTranslations('status')
  const locale = useLocale()
  const snapshot = state === null || state.kind === 'starting' ? null : state
  const tone = snapshot === null ? 'animate-pulse bg-status-dismissed' : 'bg-status-handled'
  const ago = snapshot && t('ago', { ago: shortDuration(snapshot.ageMs, locale) })
  return (
    <p title={ago ?? undefined} className="flex min-h-4.5 items-center gap-1.5 font-medium text-ink">
      <span
        className={cn(
          'size-1.75 shrink-0 rounded-full border border-transparent',
          isCut || isLate ? 'bg-status-progress' : tone,
        )}
      />
      {state === null && !isCut && <Skeleton className="h-3 w-20" />}
      {state?.kind === 'starting' && <span>{t(state.problem ? 'noData' : 'starting')}</span>}
      {ago !== null && <span>{isCut || isLate ? ago : t('updated')}</span>}
    </p>
  )
}

type ProblemProps = { problem: NonNullable<FeedState['problem']>; isKnown: boolean; now: number }

function Problem({ problem, isKnown, now }: ProblemProps) {
  const t = useTranslations('status')
  const locale = useLocale()
  const since = sinceTime(problem.sinceMs, now, locale)
  return (
    <p className={problemClass}>
      {t('problemSince', { problem: t(`problem.${problemKey(problem)}`), time: since })}
      {isKnown && <span>{` ${t(`act.${problemAct(problem)}`)} ${t('shown')}`}</span>}
    </p>
  )
}

function NextUp({ state }: { state: FeedState }) {
  const t = useTranslations('status')
  const locale = useLocale()
  const nextInMs = state.kind === 'starting' ? null : state.nextInMs
  const inMs = state.problem === null ? nextInMs : state.problem.retryInMs
  if (inMs === null) return null
  // A second of waiting for the answer is no news.
  const next = inMs < 1000 ? 'nextNow' : state.problem === null ? 'nextIn' : 'retryIn'
  return <span>{t(next, { time: shortDuration(inMs, locale) })}</span>
}
