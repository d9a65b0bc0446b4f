import { useLocale, useTranslations } from 'next-intl'
import { useIsOnline } from '@/components/browser/browser-tab'
import { useNow } from '@/components/browser/clock'
import { useCurrentUser } from '@/components/desk/current-user'
import { type FeedState, feedState } from '@/components/desk/feed-state'
import { useStatus, wordOfProblem } from '@/components/desk/feed-status'
import { cn } from '@/components/ui/cn'
import { Skeleton } from '@/components/ui/loading'
import { shortDuration, sinceTime } from '@/lib/time/format-time'

export function StatusText({ shape }: { shape: 'side' | 'slim' }) {
  const t = useTranslations('status')
  const now = useNow()
  const isAdmin = useCurrentUser()?.isAdmin === true
  const { data, isError, dataUpdatedAt } = useStatus()
  const isCut = !useIsOnline() || isError
  // Ages go by the server's clock: this one may be minutes off.
  const serverNow = data && now !== null ? now + Date.parse(data.now) - dataUpdatedAt : null
  const state = data && serverNow !== null ? feedState(data, serverNow) : null
  const known = state === null || state.kind === 'starting' ? null : state
  const isLate = state !== null && (state.kind === 'late' || state.problem !== null)
  return (
    <>
      <Headline state={state} isCut={isCut} isLate={isLate} />
      {/* Announced once when it appears, not with every tick. */}
      <div role="status">
        {isCut && <p className={problemClass}>{t('unreachable')}</p>}
        {!isCut && state?.problem && <Problem problem={state.problem} isKnown={known !== null} now={now ?? 0} />}
        {!isCut && known !== null && known.unreadable > 0 && (
          <p className="mt-1">{t('unreadableRecords', { count: known.unreadable })}</p>
        )}
      </div>
      {shape === 'slim' && !isCut && isLate && (
        <p>
          <NextUp state={state} />
        </p>
      )}
      {shape === 'side' && (
        <>
          <Progress done={known?.progress ?? 0} isLate={isLate} />
          <p className="min-h-4">{!isCut && state !== null && <NextUp state={state} />}</p>
          {isAdmin && data && <p>{t('budget', { spent: data.budget.spentThisHour, limit: data.budget.perHour })}</p>}
        </>
      )}
    </>
  )
}

const problemClass = 'mt-1 rounded-sm bg-warn px-2 py-1 text-warn-ink'

function Headline({ state, isCut, isLate }: { state: FeedState | null; isCut: boolean; isLate: boolean }) {
  const t = useTranslations('status')
  const locale = useLocale()
  const isStarting = state === null || state.kind === 'starting'
  const tone = isStarting ? 'animate-pulse bg-status-dismissed' : 'bg-status-handled'
  return (
    <p className="flex min-h-4.5 items-center gap-1.5 font-medium text-ink">
      <span
        className={cn(
          'size-1.75 shrink-0 rounded-full border border-transparent',
          isCut || isLate ? 'bg-status-progress' : tone,
        )}
      />
      {state === null && !isCut && <Skeleton className="h-3 w-32" />}
      {state?.kind === 'starting' && t(state.problem ? 'noData' : 'starting')}
      {!isStarting && t('updated', { ago: shortDuration(state.ageMs, locale) })}
    </p>
  )
}

type ProblemProps = { problem: NonNullable<FeedState['problem']>; isKnown: boolean; now: number }

function Problem({ problem, isKnown, now }: ProblemProps) {
  const t = useTranslations('status')
  const locale = useLocale()
  const word = wordOfProblem(problem)
  const since = sinceTime(problem.sinceMs, now, locale)
  return (
    <p className={problemClass}>
      {t('problemSince', { problem: t(`problem.${word}`), time: since })} {isKnown && t(`meanwhile.${word}`)}
    </p>
  )
}

function Progress({ done, isLate }: { done: number; isLate: boolean }) {
  return (
    <div
      aria-hidden="true"
      className="mt-2 mb-1.5 h-[3px] overflow-hidden rounded-full bg-line forced-colors:h-1.5 forced-colors:border"
    >
      <div
        className={cn(
          'h-full origin-left forced-colors:bg-[Highlight] transition-transform duration-1000 ease-linear',
          isLate ? 'bg-status-progress' : 'bg-status-handled',
        )}
        style={{ transform: `scaleX(${done})` }}
      />
    </div>
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
  return t(next, { time: shortDuration(inMs, locale) })
}
