import { useTranslations } from 'next-intl'
import { type ReactNode, useState } from 'react'
import { useSchoolFilter } from '@/components/app/schools'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import type { HighSchool } from '@/lib/contract/lead'
import {
  type BoardColumn,
  type BoardRow,
  isEmptyRow,
  isGoalMissed,
  isJudged,
  sortWorstFirst,
} from '@/lib/interest/board-rows'
import type { InterestPage } from '@/lib/interest/interest-page'
import { composeSentence } from '@/lib/interest/sentence'
import { type ColumnHeading, useBoardColumns } from './board-columns'
import { ChartCard, type ChartSource } from './chart-card'

export const BOARD_ID = 'board'
export const boardRowId = (school: string) => `board-${school}`

/** The rows after these are folded at first, and never printed. */
const ROWS_SHOWN = 12

/** Compares the schools, with all of them in the first row. A press on a heading sorts by its column. */
export function BoardTable({ page, source }: { page: InterestPage; source: ChartSource }) {
  const t = useTranslations('interest.board')
  const { total, schools } = page.board
  const namedSchoolIds = new Set(composeSentence(page.board).headline.map(({ school }) => school?.id))
  const [sortColumn, setSortColumn] = useState(() => chooseFirstSort(page))
  const [isUnfolded, setUnfolded] = useState(false)
  const columns = useBoardColumns(page)
  const figures = useBoardFigures(page)
  const hasManySchools = schools.length > 1
  const rows = hasManySchools ? schools.filter((row) => !isEmptyRow(row)) : schools
  const emptyCount = schools.length - rows.length
  const schoolHeading: ColumnHeading = {
    column: 'school',
    name: t('column.school'),
    smallPrint: '',
    headingClass: 'sticky left-0 z-10 bg-panel pl-0 text-left print:static',
  }
  return (
    <ChartCard
      id={BOARD_ID}
      title={t('title')}
      file={{ ...source, name: `${t('fileName')}-${page.cohort}` }}
      figures={figures}
      pictureFigures={figures}
    >
      <div
        role="region"
        aria-label={t('tableOf')}
        tabIndex={0}
        className="relative overflow-x-auto scroll-thin not-desk:mt-3"
      >
        <table className="tabular w-full desk:min-w-[54rem] border-collapse text-right text-sm print:min-w-0 print:text-[0.9rem]">
          <caption className="sr-only">{t('title')}</caption>
          <thead>
            <tr className="align-top text-xs print:text-[0.8rem]">
              {[schoolHeading, ...columns].map((heading) => (
                <Heading
                  key={heading.column}
                  {...heading}
                  isSorted={hasManySchools && heading.column === sortColumn}
                  onSort={setSortColumn}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {hasManySchools && <Row columns={columns} row={total} name={t('all', { count: schools.length })} isLarge />}
            {sortWorstFirst(rows, sortColumn).map(
              (row, index) =>
                // The school that the page's sentence names is never folded away.
                (isUnfolded || index < ROWS_SHOWN || namedSchoolIds.has(row.school.id)) && (
                  <Row
                    key={row.school.id}
                    columns={columns}
                    row={row}
                    name={row.school.name}
                    isLarge={!hasManySchools}
                    className={index >= ROWS_SHOWN ? 'print:hidden' : undefined}
                  />
                ),
            )}
          </tbody>
        </table>
      </div>
      <div className="mt-3 flex flex-wrap items-baseline gap-x-4 gap-y-1 text-xs text-mute empty:hidden print:mt-1 print:text-2xs">
        {rows.length > ROWS_SHOWN && (
          <>
            {!isUnfolded && (
              <Button text={t('showAll', { count: rows.length })} size="sm" onClick={() => setUnfolded(true)} />
            )}
            <p className="hidden print:block">{t('morePaper', { count: rows.length - ROWS_SHOWN })}</p>
          </>
        )}
        {emptyCount > 0 && <p>{t('empty', { count: emptyCount })}</p>}
      </div>
    </ChartCard>
  )
}

/** Chooses the column that may show a problem: a missed goal, else the change, else the leads that wait. */
function chooseFirstSort({ board: { total, schools }, isCurrentCohort }: InterestPage): BoardColumn {
  if ([total, ...schools].some((row) => isJudged(row) && isGoalMissed(row.withinGoal))) return 'withinGoal'
  if (total.countYearBefore !== null) return 'change'
  return isCurrentCohort ? 'waiting' : 'school'
}

function Heading(props: ColumnHeading & { isSorted: boolean; onSort: (column: BoardColumn) => void }) {
  const { column, name, smallPrint, smallPrintOnPhone, lineLabel, headingClass, isSorted, onSort } = props
  const t = useTranslations('interest.board')
  // The worst comes first: the most leads that wait, the least of any other figure. Names go by the alphabet.
  const direction = column === 'waiting' ? 'descending' : 'ascending'
  return (
    <th
      scope="col"
      aria-sort={isSorted ? direction : undefined}
      className={cn('px-1 pb-2 font-semibold desk:px-1.5 desk:whitespace-nowrap print:whitespace-nowrap', headingClass)}
    >
      {lineLabel !== undefined && (
        <span className="absolute bottom-2 left-1.5 w-16 text-center print:left-0 print:w-14">
          <SmallPrint>{lineLabel}</SmallPrint>
        </span>
      )}
      <button
        type="button"
        onClick={() => onSort(column)}
        className="[text-align:inherit] hover:text-accent touch:min-h-11 touch:min-w-11"
      >
        {name}
        <span aria-hidden className="text-accent desk:hidden print:hidden">
          {isSorted && (direction === 'ascending' ? ' ↑' : ' ↓')}
        </span>
        {smallPrintOnPhone !== undefined && (
          <SmallPrint className="desk:hidden print:hidden">{smallPrintOnPhone}</SmallPrint>
        )}
        <SmallPrint className={cn('not-desk:sr-only print:not-sr-only', isSorted && 'text-accent print:text-mute')}>
          {isSorted && column !== 'school' ? t('worst') : smallPrint}
        </SmallPrint>
      </button>
    </th>
  )
}

function SmallPrint({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <small className={cn('block text-2xs font-normal whitespace-nowrap text-mute print:text-[0.72rem]', className)}>
      {children}
    </small>
  )
}

type RowProps = {
  columns: ReturnType<typeof useBoardColumns>
  row: BoardRow & { school?: HighSchool }
  name: string
  isLarge: boolean
  className?: string | undefined
}

/** The total, or the page's only school, is a large row. In other rows the name is a button that opens the school. */
function Row({ columns, row, name, isLarge, className }: RowProps) {
  const t = useTranslations('interest.board')
  const [, setSchools] = useSchoolFilter()
  const { school } = row
  const baseCellClass = cn(
    'border-t px-1 whitespace-nowrap desk:px-1.5',
    isLarge ? 'h-12 border-line text-base font-semibold print:h-9' : 'h-9 border-line-soft print:h-6',
  )
  return (
    <tr
      id={school && boardRowId(school.id)}
      tabIndex={school && -1}
      className={cn('scroll-mt-24 bg-panel target:bg-accent-soft print:bg-transparent', className)}
    >
      <th
        scope="row"
        className={cn(
          baseCellClass,
          'sticky left-0 max-w-36 min-w-22 bg-inherit pl-0 text-left text-sm whitespace-normal wide:max-w-60 wide:min-w-40 print:static print:max-w-44 print:min-w-0',
          isLarge ? 'font-semibold' : 'font-normal',
        )}
      >
        {isLarge || school === undefined ? (
          <span>{name}</span>
        ) : (
          <button
            type="button"
            title={t('open', { school: name })}
            onClick={() => setSchools([school.id])}
            className="py-1 text-left leading-tight text-pretty underline-offset-2 hover:underline touch:min-h-11 print:line-clamp-2 print:py-0"
          >
            {name}
          </button>
        )}
      </th>
      {columns.map((column) => (
        <td key={column.column} className={cn(baseCellClass, column.cellClass)}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  )
}

/** The file has every school, also those without figures; two figures that share a cell get a column each. */
function useBoardFigures({ board: { total, schools }, isCurrentCohort, hasWorkStart }: InterestPage) {
  const t = useTranslations('interest.board')
  const workColumns = isCurrentCohort ? (['waiting', 'late', 'withinGoal'] as const) : []
  const columns = ['school', 'now', 'before', 'change', 'low', 'high', 'ended', ...workColumns] as const
  const toPercent = (share: number | null) => (share === null ? null : Math.round(share * 100))
  const toCells = (school: string, row: BoardRow) => {
    const cells = {
      school,
      now: row.countSoFar,
      before: row.countYearBefore,
      change: toPercent(row.change),
      low: row.forecast?.low ?? null,
      high: row.forecast?.high ?? null,
      ended: row.totalYearBefore,
      waiting: row.waiting,
      late: hasWorkStart ? row.late : null,
      withinGoal: toPercent(row.withinGoal),
    }
    return columns.map((column) => cells[column])
  }
  const rows = schools.map((row) => toCells(row.school.name, row))
  if (schools.length > 1) rows.unshift(toCells(t('all', { count: schools.length }), total))
  return { columns: columns.map((column) => t(`file.${column}`)), rows }
}
