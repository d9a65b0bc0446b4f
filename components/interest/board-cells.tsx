import { useTranslations } from 'next-intl'
import { cn } from '@/components/ui/cn'
import { sizeOf } from '@/lib/interest/axis'
import type { BoardRow } from '@/lib/interest/board'
import { GOAL_SHARE, isMissed } from '@/lib/interest/findings'
import { NO_VALUE, useCountFormat, useShare, useSignedShare } from './figure-words'

const SIGNS = { up: '▲', down: '▼', level: '≈' }
const COLOURS = { up: 'text-status-handled', down: 'text-late', level: 'text-mute' }

/** Sign, weight and colour: beyond what chance explains, or not. */
export function Change({ change }: Pick<BoardRow, 'change'>) {
  const t = useTranslations('interest.board')
  const share = useSignedShare()
  if (change?.by == null) return <span className="font-normal text-mute">{NO_VALUE}</span>
  const { by, is } = change
  return (
    <span className={cn(COLOURS[is], is !== 'level' && 'font-semibold')}>
      <span role="img" aria-label={t(`sign.${is}`)} className={cn('mr-1', is !== 'level' && 'text-[0.75em]')}>
        {SIGNS[is]}
      </span>
      {share(by)}
    </span>
  )
}

const [LINE_WIDTH, LINE_HEIGHT] = [90, 24]
/** The line leaves its box at so much more or less. */
const MAX_AHEAD = 0.5

/** How far ahead of the year before, week by week; the dashed line is the year before. */
export function Season({ row: { season, change } }: { row: BoardRow }) {
  const last = season.at(-1)
  if (last === undefined) return null
  const y = (ahead: number) =>
    LINE_HEIGHT / 2 - (Math.max(-MAX_AHEAD, Math.min(MAX_AHEAD, ahead)) / MAX_AHEAD) * (LINE_HEIGHT / 2 - 3)
  const x = (week: number) => 2 + (week / Math.max(1, season.length - 1)) * (LINE_WIDTH - 8)
  const path = season.map((ahead, week) => `${x(week).toFixed(1)} ${y(ahead).toFixed(1)}`).join('L')
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${LINE_WIDTH} ${LINE_HEIGHT}`}
      className={cn('h-6 w-20 print:h-4 print:w-16', COLOURS[change?.is ?? 'level'])}
    >
      <path d={`M0 ${LINE_HEIGHT / 2}H${LINE_WIDTH}`} className="stroke-faint" strokeDasharray="2 3" />
      <path d={`M${path}`} fill="none" stroke="currentColor" strokeWidth="1.75" strokeLinejoin="round" />
      <circle cx={x(season.length - 1)} cy={y(last)} r="2.75" fill="currentColor" />
    </svg>
  )
}

/** Where the year before ended is a line at so many per cent of the width. */
const ENDED_AT = 56
const PER_SHARE = 80

/** The range beside where the year before ended; filled where it lies wholly on one side. */
export function Range({ row: { forecast, beforeInAll } }: { row: BoardRow }) {
  if (forecast === null || beforeInAll === null || beforeInAll === 0) return null
  const ended = sizeOf(beforeInAll)
  const place = (value: number) => Math.max(4, Math.min(96, ENDED_AT + (value / ended - 1) * PER_SHARE))
  const [low, high] = [place(forecast.low), place(forecast.high)]
  const is = forecast.high < ended ? 'down' : forecast.low > ended ? 'up' : 'level'
  const line = { stroke: 'currentColor', strokeLinecap: 'round', vectorEffect: 'non-scaling-stroke' } as const
  const dot = `M${(low + high) / 2} 12h.01`
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 100 24"
      preserveAspectRatio="none"
      className={cn('hidden h-6 w-20 overflow-visible desk:block print:block print:w-20', COLOURS[is])}
    >
      <path d={`M${ENDED_AT}-8V32`} className="stroke-mute" vectorEffect="non-scaling-stroke" />
      <path d={`M${low} 12H${high}`} {...line} strokeOpacity="0.4" strokeWidth="5" />
      <path d={dot} {...line} strokeWidth="11" />
      {is === 'level' && <path d={dot} {...line} stroke="var(--color-panel)" strokeWidth="7" />}
    </svg>
  )
}

export function RangeText({ row: { forecast }, isOnOneYear }: { row: BoardRow; isOnOneYear: boolean }) {
  const t = useTranslations('interest')
  if (forecast === null) return <span className="text-mute">{NO_VALUE}</span>
  const { low, high } = forecast
  return (
    <span className="flex-1">
      {t('curves.range', { low, high })}
      {isOnOneYear && <small className="block text-2xs font-normal text-mute">{t('board.oneYear')}</small>}
    </span>
  )
}

export function Waiting({ row: { waiting, late } }: { row: BoardRow }) {
  const t = useTranslations('interest.board')
  const { figure } = useCountFormat()
  return (
    <>
      {figure(waiting)}
      {late !== 0 && (
        <small className="block text-2xs leading-tight font-semibold text-late print:text-[0.72rem]">
          {t('late', { few: late === '<5' ? 'yes' : 'no', count: sizeOf(late) })}
        </small>
      )}
    </>
  )
}

/** A missed goal is hatched, so that paper without colour says it too. */
export function Goal({ share }: { share: number | null }) {
  const shareOf = useShare()
  const isLow = isMissed(share)
  return (
    <>
      <span className={isLow ? 'font-semibold text-late' : undefined}>{shareOf(share)}</span>
      {share !== null && (
        <svg aria-hidden="true" viewBox="0 0 64 12" className="ml-1.5 inline-block h-3 w-14 align-middle print:w-11">
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
