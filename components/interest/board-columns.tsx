import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { cn } from '@/components/ui/cn'
import { type BoardColumn, type BoardRow, GOAL_SHARE } from '@/lib/interest/board-rows'
import { FORECAST_CONFIDENCE } from '@/lib/interest/forecast'
import { describeComparison, type InterestPage } from '@/lib/interest/interest-page'
import { ChangeText, findMaxDeviation, ForecastRange, GoalCell, NoValue, WaitingCell } from './board-cells'
import { useFigureFormat } from './figure-format'

export type ColumnHeading = {
  id: BoardColumn
  name: string
  /** This stands below the name. A phone shows `smallPrintOnPhone` in its place, or nothing. */
  smallPrint: string
  smallPrintOnPhone?: string | undefined
  /** The label of a vertical line through all rows of the column. */
  lineLabel?: string
  headingClass?: string
}
type ColumnDefinition = ColumnHeading & { cellClass?: string; renderCell: (row: BoardRow) => ReactNode }

/** Columns of this class are hidden on a phone, which has no room for them. */
const deskClass = 'hidden desk:table-cell print:table-cell'
/** A vertical line through all rows marks where the year before ended. */
const lineClass =
  'relative pl-0 before:absolute before:-top-px before:bottom-0 before:left-[2.375rem] before:border-l before:border-mute print:before:left-7'
/** The heading ends above the counts, because the numbers of late leads stand to the right of them. */
const waitingHeadingClass = 'desk:pr-15 print:pr-14'

/** Returns the columns after the school's name that have something to compare with or to measure. */
export function useBoardColumns(page: InterestPage): ColumnDefinition[] {
  const t = useTranslations('interest.board')
  const tCurves = useTranslations('interest.curves')
  const { formatFigure, formatShare } = useFigureFormat()
  const { total, schools } = page.board
  const { isLastYear, isOver } = describeComparison(page)
  const hasYearBefore = total.countYearBefore !== null
  const yearText = isLastYear ? t('lastYear') : String(page.cohort - 1)
  const hasGoal = Object.values(page.goals).some((days) => days !== null)
  const isWorkMeasured = page.isCurrentCohort && page.hasWorkStart && hasGoal
  const goalText = t('below.withinGoal', { share: formatShare(GOAL_SHARE) })
  const maxDeviation = findMaxDeviation([total, ...schools])
  const columns: (ColumnDefinition | false)[] = [
    {
      id: 'now',
      name: t(isOver ? 'column.total' : 'column.now'),
      smallPrint: t('below.now'),
      smallPrintOnPhone: hasYearBefore ? yearText : undefined,
      renderCell: ({ countSoFar, countYearBefore }) => (
        <>
          {formatFigure(countSoFar)}
          {countYearBefore !== null && (
            <small className="block text-2xs font-normal text-mute desk:hidden print:hidden">
              {formatFigure(countYearBefore)}
            </small>
          )}
        </>
      ),
    },
    hasYearBefore && {
      id: 'before',
      name: isLastYear ? t('column.lastYear') : yearText,
      smallPrint: t(isOver ? 'below.beforeInAll' : 'below.before'),
      headingClass: deskClass,
      cellClass: cn(deskClass, 'font-normal text-mute'),
      renderCell: ({ countYearBefore }) =>
        countYearBefore === null ? <NoValue column="before" /> : formatFigure(countYearBefore),
    },
    hasYearBefore && {
      id: 'change',
      name: t('column.change'),
      smallPrint: t('below.change', { year: yearText }),
      renderCell: ({ countYearBefore, change }) =>
        countYearBefore === null ? <NoValue column="before" /> : <ChangeText change={change} />,
    },
    total.forecast !== null && {
      id: 'forecast',
      name: t('column.forecast'),
      smallPrint: t('below.forecast', { likely: formatShare(FORECAST_CONFIDENCE) }),
      lineLabel: yearText,
      headingClass: cn(deskClass, 'relative'),
      cellClass: cn(deskClass, lineClass),
      renderCell: (row) => (
        <div className="flex items-center justify-end gap-2">
          <ForecastRange row={row} maxDeviation={maxDeviation} />
          {row.forecast === null ? (
            <NoValue column="forecast" />
          ) : (
            <span className="flex-1">{tCurves('range', row.forecast)}</span>
          )}
        </div>
      ),
    },
    page.isCurrentCohort && {
      id: 'waiting',
      name: t('column.waiting'),
      smallPrint: t('below.waiting'),
      headingClass: waitingHeadingClass,
      renderCell: (row) => <WaitingCell row={row} />,
    },
    isWorkMeasured && {
      id: 'withinGoal',
      name: t('column.withinGoal'),
      smallPrint: goalText,
      smallPrintOnPhone: goalText,
      renderCell: (row) => <GoalCell row={row} />,
    },
  ]
  return columns.filter((column) => column !== false)
}
