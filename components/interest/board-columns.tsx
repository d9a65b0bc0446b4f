import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { cn } from '@/components/ui/cn'
import { type BoardColumn, type BoardRow, GOAL_SHARE, isGoalMissed, toDirection } from '@/lib/interest/board-rows'
import { FORECAST_CONFIDENCE } from '@/lib/interest/forecast'
import { describeComparison, type InterestPage } from '@/lib/interest/interest-page'
import { estimateCount } from '@/lib/interest/rounding'
import { useFigureFormat } from './figure-format'

export type ColumnHeading = {
  column: BoardColumn
  name: string
  /** The small print stands below the name; a phone shows `smallPrintOnPhone` instead. */
  smallPrint: string
  smallPrintOnPhone?: string
  /** This labels the vertical line through all rows of the column. */
  spanLabel?: string
  headingClass?: string
}
type ColumnDefinition = ColumnHeading & { cellClass?: string; cell: (row: BoardRow) => ReactNode }

/** A phone has no room for these columns. */
const onDesk = 'hidden desk:table-cell print:table-cell'
/** A line through all rows marks where last year ended. */
const lastYearLine =
  'relative pl-0 before:absolute before:-top-px before:bottom-0 before:left-[2.375rem] before:border-l before:border-mute print:before:left-7'

/** Returns the columns after the school's name, without those that have nothing to compare with or to measure. */
export function useBoardColumns(page: InterestPage): ColumnDefinition[] {
  const t = useTranslations('interest.board')
  const curvesText = useTranslations('interest.curves')
  const { figure, formatShare } = useFigureFormat()
  const { total, schools } = page.board
  const { isLastYear, isOver } = describeComparison(page)
  const yearBefore = String(page.cohort - 1)
  const year = isLastYear ? t('lastYear') : yearBefore
  const hasGoal = page.hasWorkStart && Object.values(page.goals).some((days) => days !== null)
  const goal = t('below.withinGoal', { share: formatShare(GOAL_SHARE) })
  // All ranges share one scale, as wide as the widest. They are shares of the total of the year before.
  const deviations = [total, ...schools].flatMap((row) => Object.values(toRelativeRange(row) ?? {}).map(Math.abs))
  const maxDeviation = Math.max(0.1, ...deviations)
  const columns: (ColumnDefinition | false)[] = [
    {
      column: 'now',
      name: t(isOver ? 'column.total' : 'column.now'),
      smallPrint: t('below.now'),
      ...(total.countYearBefore !== null && { smallPrintOnPhone: year }),
      cell: ({ countSoFar, countYearBefore: before }) => (
        <>
          {figure(countSoFar)}
          {before !== null && (
            <small className="block text-2xs font-normal text-mute desk:hidden print:hidden">{figure(before)}</small>
          )}
        </>
      ),
    },
    total.countYearBefore !== null && {
      column: 'before',
      name: isLastYear ? t('column.lastYear') : yearBefore,
      smallPrint: t(isOver ? 'below.beforeInAll' : 'below.before'),
      headingClass: onDesk,
      cellClass: cn(onDesk, 'font-normal text-mute'),
      cell: ({ countYearBefore }) => (countYearBefore === null ? <NoValue column="before" /> : figure(countYearBefore)),
    },
    total.countYearBefore !== null && {
      column: 'change',
      name: t('column.change'),
      smallPrint: t('below.change', { year }),
      cell: ({ countYearBefore, change }) =>
        countYearBefore === null ? <NoValue column="before" /> : <ChangeText change={change} />,
    },
    total.forecast !== null && {
      column: 'forecast',
      name: t('column.forecast'),
      smallPrint: t('below.forecast', { likely: formatShare(FORECAST_CONFIDENCE) }),
      spanLabel: year,
      headingClass: cn(onDesk, 'relative'),
      cellClass: cn(onDesk, lastYearLine),
      cell: (row) => (
        <div className="flex items-center justify-end gap-2">
          <ForecastRange row={row} reach={maxDeviation} />
          {row.forecast === null ? (
            <NoValue column="forecast" />
          ) : (
            <span className="flex-1">{curvesText('range', row.forecast)}</span>
          )}
        </div>
      ),
    },
    page.isCurrentCohort && {
      column: 'waiting',
      name: t('column.waiting'),
      smallPrint: t('below.waiting'),
      headingClass: 'desk:pr-15 print:pr-14',
      cell: (row) => <WaitingCell row={row} />,
    },
    page.isCurrentCohort &&
      hasGoal && {
        column: 'withinGoal',
        name: t('column.withinGoal'),
        smallPrint: goal,
        smallPrintOnPhone: goal,
        cell: (row) => <GoalCell row={row} />,
      },
  ]
  return columns.filter((column) => column !== false)
}

function TooFew() {
  const t = useTranslations('interest.board')
  return <span className="font-normal text-mute">{t('tooFew')}</span>
}

function NoValue({ column }: { column: 'before' | 'forecast' | 'withinGoal' }) {
  const reason = useTranslations('interest.board')(`none.${column}`)
  return (
    <span role="img" aria-label={reason} title={reason} className="text-mute">
      –
    </span>
  )
}

const COLOURS = { up: 'text-status-handled', down: 'text-late', level: 'text-mute' }

/** With `isNeutral` the change has no colour, for numbers where more is not better. */
export function ChangeText({ change, isNeutral = false }: Pick<BoardRow, 'change'> & { isNeutral?: boolean }) {
  const { formatSignedShare } = useFigureFormat()
  if (change === null) return <TooFew />
  const direction = toDirection(change)
  const colour = isNeutral && direction !== 'level' ? 'text-ink' : COLOURS[direction]
  return <span className={cn(colour, direction !== 'level' && 'font-semibold')}>{formatSignedShare(change)}</span>
}

function toRelativeRange({ forecast, totalYearBefore }: BoardRow) {
  const ended = estimateCount(totalYearBefore ?? 0)
  return forecast === null || ended === 0 ? null : { low: forecast.low / ended - 1, high: forecast.high / ended - 1 }
}

/** Draws the range beside the line where the year before ended, in the colour of the change so far. */
function ForecastRange({ row, reach }: { row: BoardRow; reach: number }) {
  const range = toRelativeRange(row)
  if (range === null) return null
  // The drawing is 100 wide, with the line in its middle.
  const toX = (deviation: number) => 50 + (deviation / reach) * 46
  const direction = toDirection(row.change)
  const line = { stroke: 'currentColor', strokeLinecap: 'round', vectorEffect: 'non-scaling-stroke' } as const
  const dot = `M${toX((range.low + range.high) / 2)} 12h.01`
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 100 24"
      preserveAspectRatio="none"
      className={cn('relative hidden h-6 w-16 overflow-visible desk:block print:block print:w-14', COLOURS[direction])}
    >
      <path d={`M${toX(range.low)} 12H${toX(range.high)}`} {...line} strokeOpacity="0.4" strokeWidth="6" />
      <path d={dot} {...line} strokeWidth="9" />
      {direction === 'level' && <path d={dot} {...line} stroke="var(--color-panel)" strokeWidth="5" />}
    </svg>
  )
}

function WaitingCell({ row: { waiting, late } }: { row: BoardRow }) {
  const t = useTranslations('interest.board')
  const { figure } = useFigureFormat()
  return (
    <>
      {figure(waiting)}
      <small className="block text-right text-2xs font-semibold text-late desk:ml-1.5 desk:inline-block desk:min-w-12 desk:text-left print:ml-1.5 print:inline-block print:min-w-12 print:text-left print:text-[0.8rem]">
        {late !== 0 && (
          <span>
            {figure(late)} {t('late', { count: estimateCount(late) })}
          </span>
        )}
      </small>
    </>
  )
}

/** A missed goal is hatched, so that paper without colour says it too. */
function GoalCell({ row: { withinGoal, judged } }: { row: BoardRow }) {
  const { formatShare } = useFigureFormat()
  if (judged === 0) return <NoValue column="withinGoal" />
  if (withinGoal === null) return <TooFew />
  const isLow = isGoalMissed(withinGoal)
  return (
    <>
      <span className={isLow ? 'font-semibold text-late' : undefined}>{formatShare(withinGoal)}</span>
      <svg
        aria-hidden="true"
        viewBox="0 0 64 12"
        className="ml-1.5 hidden h-3 w-9 align-middle desk:inline-block print:inline-block print:w-11"
      >
        <path d="M3 6H61" className="stroke-line" strokeWidth="6" strokeLinecap="round" />
        <path
          d={`M3 6H${3 + 58 * withinGoal}`}
          className={isLow ? 'stroke-late' : 'stroke-mute'}
          strokeWidth="6"
          strokeLinecap={isLow ? 'butt' : 'round'}
          strokeDasharray={isLow ? '3 2' : undefined}
        />
        <path d={`M${3 + 58 * GOAL_SHARE} 0V12`} className="stroke-ink" strokeWidth="1.5" />
      </svg>
    </>
  )
}
