import { useTranslations } from 'next-intl'
import { cn } from '@/components/ui/cn'
import { sizeOf } from '@/lib/interest/axis'
import { type BoardRow, directionOf } from '@/lib/interest/board'
import type { InterestPage } from '@/lib/interest/interest-page'
import { GOAL_SHARE, isMissed } from '@/lib/interest/sentence'
import { comparedYear, NO_VALUE } from '@/lib/interest/figure-words'
import { useFigureWords } from './figure-words'

/** How many; on a phone, which has no column for it, beside the year before. */
export function SoFar({ row: { now, before }, page }: { row: BoardRow; page: InterestPage }) {
  const t = useTranslations('interest.board')
  const { figure } = useFigureWords()
  const year = comparedYear(page).isLastYear ? t('lastYear') : page.cohort - 1
  return (
    <>
      {figure(now)}
      {before !== null && (
        <small className="block text-2xs font-normal text-mute desk:hidden print:hidden">
          {year} {figure(before)}
        </small>
      )}
    </>
  )
}

const COLOURS = { up: 'text-status-handled', down: 'text-late', level: 'text-mute' }

type ChangeProps = Pick<BoardRow, 'change'> & { isNeutral?: boolean }

export function TooFew() {
  const t = useTranslations('interest.board')
  return <span className="font-normal text-mute">{t('tooFew')}</span>
}

export function NoValue({ of }: { of: 'before' | 'forecast' | 'withinGoal' }) {
  const why = useTranslations('interest.board')(`none.${of}`)
  return (
    <span role="img" aria-label={why} title={why} className="text-mute">
      {NO_VALUE}
    </span>
  )
}

/** Without colour where more is not better. */
export function Change({ change, isNeutral = false }: ChangeProps) {
  const { signedShare } = useFigureWords()
  if (change === null) return <TooFew />
  const direction = directionOf(change)
  const colour = isNeutral && direction !== 'level' ? 'text-ink' : COLOURS[direction]
  return <span className={cn(colour, direction !== 'level' && 'font-semibold')}>{signedShare(change)}</span>
}

/** How far a range reaches at most from where the year before ended, as a share of that; so rows share one scale. */
export function reachOf(rows: readonly BoardRow[]): number {
  return rows.reduce((most, row) => Math.max(most, ...(rangeOf(row) ?? []).map(Math.abs)), 0.1)
}

function rangeOf({ forecast, beforeInAll }: BoardRow): [low: number, high: number] | null {
  const ended = sizeOf(beforeInAll ?? 0)
  return forecast === null || ended === 0 ? null : [forecast.low / ended - 1, forecast.high / ended - 1]
}

/** The range beside where the year before ended, which is the line; it has the colour of the change so far. */
export function Range({ row, reach }: { row: BoardRow; reach: number }) {
  const range = rangeOf(row)
  if (range === null) return null
  const place = (share: number) => 50 + (share / reach) * 46
  const [low, high] = [place(range[0]), place(range[1])]
  const look = directionOf(row.change)
  const line = { stroke: 'currentColor', strokeLinecap: 'round', vectorEffect: 'non-scaling-stroke' } as const
  const dot = `M${(low + high) / 2} 12h.01`
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 100 24"
      preserveAspectRatio="none"
      className={cn('relative hidden h-6 w-16 overflow-visible desk:block print:block print:w-14', COLOURS[look])}
    >
      <path d={`M${low} 12H${high}`} {...line} strokeOpacity="0.4" strokeWidth="6" />
      <path d={dot} {...line} strokeWidth="9" />
      {look === 'level' && <path d={dot} {...line} stroke="var(--color-panel)" strokeWidth="5" />}
    </svg>
  )
}

export function RangeText({ row: { forecast } }: { row: BoardRow }) {
  const t = useTranslations('interest.curves')
  return forecast === null ? <NoValue of="forecast" /> : <span className="flex-1">{t('range', forecast)}</span>
}

export function Waiting({ row: { waiting, late } }: { row: BoardRow }) {
  const t = useTranslations('interest.board')
  const { figure } = useFigureWords()
  return (
    <>
      {figure(waiting)}
      <small className="block text-right text-2xs font-semibold text-late desk:ml-1.5 desk:inline-block desk:min-w-12 desk:text-left print:ml-1.5 print:inline-block print:min-w-12 print:text-left print:text-[0.8rem]">
        {late !== 0 && (
          <span>
            {figure(late)} {t('late', { count: sizeOf(late) })}
          </span>
        )}
      </small>
    </>
  )
}

/** A missed goal is hatched, so that paper without colour says it too. */
export function Goal({ row: { withinGoal: share, judged } }: { row: BoardRow }) {
  const { share: shareOf } = useFigureWords()
  if (judged === 0) return <NoValue of="withinGoal" />
  const isLow = isMissed(share)
  return (
    <>
      {share === null ? (
        <TooFew />
      ) : (
        <span className={isLow ? 'font-semibold text-late' : undefined}>{shareOf(share)}</span>
      )}
      {share !== null && (
        <svg
          aria-hidden="true"
          viewBox="0 0 64 12"
          className="ml-1.5 hidden h-3 w-9 align-middle desk:inline-block print:inline-block print:w-11"
        >
          <path d="M3 6H61" className="stroke-line" strokeWidth="6" strokeLinecap="round" />
          <path
            d={`M3 6H${3 + 58 * share}`}
            className={isLow ? 'stroke-late' : 'stroke-mute'}
            strokeWidth="6"
            strokeLinecap={isLow ? 'butt' : 'round'}
            strokeDasharray={isLow ? '3 2' : undefined}
          />
          <path d={`M${3 + 58 * GOAL_SHARE} 0V12`} className="stroke-ink" strokeWidth="1.5" />
        </svg>
      )}
    </>
  )
}
