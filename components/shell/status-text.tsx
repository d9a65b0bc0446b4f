import { useLocale, useTranslations } from 'next-intl'
import { useIsOnline } from '@/components/browser/browser-tab'
import { useNow } from '@/components/browser/clock'
import { useCurrentUser } from '@/components/desk/current-user'
import { type FeedState, feedState } from '@/components/desk/feed-state'
import { useStatus, wordOfProblem } from '@/components/desk/feed-status'
import { cn } from '@/components/ui/cn'
import { Skeleton } from '@/components/ui/loading'
import { shortDuration, sinceTime } from '@/lib/time/format-time'

/** How old the data is, when the next comes and what is wrong if anything is; administrators also read what is spent. */
export function StatusText({ shape }: { shape: 'side' | 'slim' }) {
  const t = useTranslations('status')
  const now = useNow()
  const isAdmin = useCurrentUser()?.isAdmin === true
  const { data, isError, dataUpdatedAt } = useStatus()
  const isCut = !useIsOnline() || isError
  // Ages go by the server's clock: this one may be minutes off.
  const serverNow = data && now !== null ? now + Date.parse(data.now) - dataUpdatedAt : null
  const state = data && serverNow !== null ? feedState(data, serverNow) : null
  return (
    <>
      <Headline state={state} isCut={isCut} />
      <Problem state={state} isCut={isCut} now={now ?? 0} />
      {shape === 'slim' && !isCut && isLate(state) && (
        <p>
          <NextUp state={state} />
        </p>
      )}
      {shape === 'side' && (
        <>
          <Progress state={state} />
          <p className="min-h-4">{!isCut && <NextUp state={state} />}</p>
          {isAdmin && data && <p>{t('budget', { spent: data.budget.spentThisHour, limit: data.budget.perHour })}</p>}
        </>
      )}
    </>
  )
}

type PartProps = { state: FeedState | null }

function Headline({ state, isCut }: PartProps & { isCut: boolean }) {
  const t = useTranslations('status')
  const locale = useLocale()
  const isStarting = state === null || state.kind === 'starting'
  const tone = isStarting ? 'animate-pulse bg-status-dismissed' : 'bg-status-handled'
  return (
    <p className="flex min-h-4.5 items-center gap-1.5 font-medium text-ink">
      <span
        className={cn(
          'size-1.75 shrink-0 rounded-full border border-transparent',
          isCut || isLate(state) ? 'bg-status-progress' : tone,
        )}
      />
      {state === null && (isCut ? null : <Skeleton className="h-3 w-32" />)}
      {state?.kind === 'starting' && t(state.problem ? 'noData' : 'starting')}
      {state !== null && state.kind !== 'starting' && t('updated', { ago: shortDuration(state.ageMs, locale) })}
    </p>
  )
}

/** Announced once when it appears, not with every tick. */
function Problem({ state, isCut, now }: PartProps & { isCut: boolean; now: number }) {
  const t = useTranslations('status')
  const locale = useLocale()
  const known = state !== null && state.kind !== 'starting' ? state : null
  return (
    <div role="status">
      {isCut && <p className="mt-1 rounded-sm bg-warn px-2 py-1 text-warn-ink">{t('unreachable')}</p>}
      {!isCut && state?.problem && (
        <p className="mt-1 rounded-sm bg-warn px-2 py-1 text-warn-ink">
          {t('problemSince', {
            problem: t(`problem.${wordOfProblem(state.problem)}`),
            time: sinceTime(state.problem.sinceMs, now, locale),
          })}{' '}
          {known !== null && t(`meanwhile.${wordOfProblem(state.problem)}`)}
        </p>
      )}
      {!isCut && known !== null && known.unreadable > 0 && (
        <p className="mt-1">{t('unreadableRecords', { count: known.unreadable })}</p>
      )}
    </div>
  )
}

function Progress({ state }: PartProps) {
  const progress = state === null || state.kind === 'starting' ? 0 : state.progress
  return (
    <div
      aria-hidden="true"
      className="mt-2 mb-1.5 h-[3px] overflow-hidden rounded-full bg-line forced-colors:h-1.5 forced-colors:border"
    >
      <div
        className={cn(
          'h-full origin-left forced-colors:bg-[Highlight] transition-transform duration-1000 ease-linear',
          isLate(state) ? 'bg-status-progress' : 'bg-status-handled',
        )}
        style={{ transform: `scaleX(${progress})` }}
      />
    </div>
  )
}

function NextUp({ state }: PartProps) {
  const t = useTranslations('status')
  const locale = useLocale()
  if (state === null) return null
  const inMs = state.problem !== null ? state.problem.retryInMs : state.kind === 'starting' ? null : state.nextInMs
  if (inMs === null) return null
  // A second of waiting for the answer is no news.
  const next = inMs < 1000 ? 'nextNow' : state.problem === null ? 'nextIn' : 'retryIn'
  return t(next, { time: shortDuration(inMs, locale) })
}

function isLate(state: FeedState | null): boolean {
  return state !== null && (state.kind === 'late' || state.problem !== null)
}
