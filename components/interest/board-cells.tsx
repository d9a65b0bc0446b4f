import { useTranslations } from 'next-intl'
import { cn } from '@/components/ui/cn'
import { type BoardRow, GOAL_SHARE, isGoalMissed, toDirection } from '@/lib/interest/board-rows'
import { estimateCount } from '@/lib/interest/rounding'
import { useFigureFormat } from './figure-format'

/** Draws a dash for a figure that cannot exist. The reason is read aloud, and shown on hover. */
export function NoValue({ column }: { column: 'before' | 'forecast' | 'withinGoal' }) {
  const reason = useTranslations('interest.board')(`none.${column}`)
  return (
    <span role="img" aria-label={reason} title={reason} className="text-mute">
      –
    </span>
  )
}

function TooFew() {
  const t = useTranslations('interest.board')
  return <span className="font-normal text-mute">{t('tooFew')}</span>
}

const directionColours = { up: 'text-status-handled', down: 'text-late', level: 'text-mute' }

/** `isNeutral` is for a change that is neither good nor bad, and so has no colour. */
export function ChangeText({ change, isNeutral }: Pick<BoardRow, 'change'> & { isNeutral?: boolean }) {
  const { formatSignedShare } = useFigureFormat()
  if (change === null) return <TooFew />
  const direction = toDirection(change)
  if (direction === 'level') return <span className={directionColours.level}>{formatSignedShare(change)}</span>
  const colour = isNeutral ? 'text-ink' : directionColours[direction]
  return <span className={cn(colour, 'font-semibold')}>{formatSignedShare(change)}</span>
}

/** Computes by which shares the ends of a forecast differ from the total of the year before. */
function computeDeviations({ forecast, totalYearBefore }: BoardRow) {
  const totalCount = estimateCount(totalYearBefore ?? 0)
  if (forecast === null || totalCount === 0) return null
  return { low: forecast.low / totalCount - 1, high: forecast.high / totalCount - 1 }
}

/** Finds where the common scale of all rows ends: at a tenth or more, so that small deviations look small. */
export function findMaxDeviation(rows: readonly BoardRow[]): number {
  const deviations = rows.flatMap((row) => Object.values(computeDeviations(row) ?? {}))
  return Math.max(0.1, ...deviations.map(Math.abs))
}

/** Draws a forecast left and right of the column's line for the year before, in the colour of the change so far. */
export function ForecastRange({ row, maxDeviation }: { row: BoardRow; maxDeviation: number }) {
  const deviations = computeDeviations(row)
  if (deviations === null) return null
  // The drawing is 100 wide, with the line in its middle and room for the round ends of a range.
  const toX = (deviation: number) => 50 + (deviation / maxDeviation) * 46
  const direction = toDirection(row.change)
  const strokeProps = { stroke: 'currentColor', strokeLinecap: 'round', vectorEffect: 'non-scaling-stroke' } as const
  const dot = `M${toX((deviations.low + deviations.high) / 2)} 12h.01`
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 100 24"
      preserveAspectRatio="none"
      className={cn(
        'relative hidden h-6 w-16 overflow-visible desk:block print:block print:w-14',
        directionColours[direction],
      )}
    >
      <path
        d={`M${toX(deviations.low)} 12H${toX(deviations.high)}`}
        {...strokeProps}
        strokeOpacity="0.4"
        strokeWidth="6"
      />
      <path d={dot} {...strokeProps} strokeWidth="9" />
      {direction === 'level' && <path d={dot} {...strokeProps} stroke="var(--color-panel)" strokeWidth="5" />}
    </svg>
  )
}

export function WaitingCell({ row: { waitingCount, lateCount } }: { row: BoardRow }) {
  const t = useTranslations('interest.board')
  const { formatFigure } = useFigureFormat()
  return (
    <>
      {formatFigure(waitingCount)}
      <small className="block text-right text-2xs font-semibold text-late desk:ml-1.5 desk:inline-block desk:min-w-12 desk:text-left print:ml-1.5 print:inline-block print:min-w-12 print:text-left print:text-[0.8rem]">
        {lateCount !== 0 && (
          <span>
            {formatFigure(lateCount)} {t('late', { count: estimateCount(lateCount) })}
          </span>
        )}
      </small>
    </>
  )
}

/** The bar of a missed goal is dashed, so that a greyscale print shows it, too. */
export function GoalCell({ row: { withinGoalShare, judgedCount } }: { row: BoardRow }) {
  const { formatShare } = useFigureFormat()
  if (judgedCount === 0) return <NoValue column="withinGoal" />
  if (withinGoalShare === null) return <TooFew />
  const isMissed = isGoalMissed(withinGoalShare)
  const bar = isMissed
    ? { className: 'stroke-late', strokeDasharray: '3 2' }
    : { className: 'stroke-mute', strokeLinecap: 'round' as const }
  // The drawing is 64 wide, with round ends of 3.
  const toX = (share: number) => 3 + 58 * share
  return (
    <>
      <span className={isMissed ? 'font-semibold text-late' : undefined}>{formatShare(withinGoalShare)}</span>
      <svg
        aria-hidden="true"
        viewBox="0 0 64 12"
        strokeWidth="6"
        className="ml-1.5 hidden h-3 w-9 align-middle desk:inline-block print:inline-block print:w-11"
      >
        <path d={`M${toX(0)} 6H${toX(1)}`} className="stroke-line" strokeLinecap="round" />
        <path d={`M${toX(0)} 6H${toX(withinGoalShare)}`} {...bar} />
        <path d={`M${toX(GOAL_SHARE)} 0V12`} className="stroke-ink" strokeWidth="1.5" />
      </svg>
    </>
  )
}
