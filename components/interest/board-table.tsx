import { useTranslations } from 'next-intl'
import { type ReactNode, useState } from 'react'
import { useSchoolFilter } from '@/components/app/schools'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import type { HighSchool } from '@/lib/contract/lead'
import { createBoardFigures } from '@/lib/interest/board-figures'
import {
  type BoardColumn,
  type BoardRow,
  isEmptyRow,
  isGoalMissed,
  isJudged,
  sortWorstFirst,
} from '@/lib/interest/board-rows'
import type { InterestPage } from '@/lib/interest/interest-page'
import { type ColumnHeading, useBoardColumns } from './board-columns'
import { ChartCard } from './chart-card'

export const BOARD_ID = 'board'
export const toBoardRowId = (school: string) => `board-${school}`

/** Further rows are folded at first, and never printed, because a sheet has no room for them. */
const ROWS_BEFORE_FOLD = 12
const schoolHeadingClass = 'sticky left-0 z-10 bg-panel pl-0 text-left print:static'

/** Compares the schools, below a row of all together. Empty ones are counted only. A heading sorts when pressed. */
export function BoardTable({ page }: { page: InterestPage }) {
  const t = useTranslations('interest.board')
  const { total, schools } = page.board
  const [chosenColumn, setChosenColumn] = useState<BoardColumn | null>(null)
  const [isExpanded, setExpanded] = useState(false)
  const columns = useBoardColumns(page)
  const hasManySchools = schools.length > 1
  const rows = hasManySchools ? schools.filter((row) => !isEmptyRow(row)) : schools
  const emptyCount = schools.length - rows.length
  const headings: ColumnHeading[] = [
    { id: 'school', name: t('column.school'), smallPrint: '', headingClass: schoolHeadingClass },
    ...columns,
  ]
  // The chosen column may be missing after the user has changed the cohort.
  const sortColumn = headings.find(({ id }) => id === chosenColumn)?.id ?? chooseSortColumn(page)
  return (
    <ChartCard
      id={BOARD_ID}
      title={t('title')}
      fileName={`${t('fileName')}-${page.cohort}-${page.asOf}`}
      figures={createBoardFigures(page, t)}
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
              {headings.map((heading) => (
                <BoardHeading
                  key={heading.id}
                  {...heading}
                  isSorted={hasManySchools && heading.id === sortColumn}
                  onSort={setChosenColumn}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {hasManySchools && (
              <BoardTableRow columns={columns} row={total} name={t('all', { count: schools.length })} isSummary />
            )}
            {sortWorstFirst(rows, sortColumn)
              .slice(0, isExpanded ? undefined : ROWS_BEFORE_FOLD)
              .map((row, index) => (
                <BoardTableRow
                  key={row.school.id}
                  columns={columns}
                  row={row}
                  name={row.school.name}
                  isSummary={!hasManySchools}
                  className={index >= ROWS_BEFORE_FOLD ? 'print:hidden' : undefined}
                />
              ))}
          </tbody>
        </table>
      </div>
      <div className="mt-3 flex flex-wrap items-baseline gap-x-4 gap-y-1 text-xs text-mute empty:hidden print:mt-1 print:text-2xs">
        {rows.length > ROWS_BEFORE_FOLD && (
          <>
            <Button
              text={isExpanded ? t('showFewer') : t('showAll', { count: rows.length })}
              size="sm"
              className="print:hidden"
              onClick={() => setExpanded(!isExpanded)}
            />
            <p className="hidden print:block">{t('morePaper', { count: rows.length - ROWS_BEFORE_FOLD })}</p>
          </>
        )}
        {emptyCount > 0 && <p>{t('empty', { count: emptyCount })}</p>}
      </div>
    </ChartCard>
  )
}

/** Chooses the column that may show a problem: the goal if missed, else the change, else the waiting questions. */
function chooseSortColumn({ board: { total, schools }, isCurrentCohort }: InterestPage): BoardColumn {
  if ([total, ...schools].some((row) => isJudged(row) && isGoalMissed(row.withinGoalShare))) return 'withinGoal'
  if (total.countYearBefore !== null) return 'change'
  return isCurrentCohort ? 'waiting' : 'school'
}

function BoardHeading(props: ColumnHeading & { isSorted: boolean; onSort: (column: BoardColumn) => void }) {
  const { id, name, smallPrint, smallPrintOnPhone, lineLabel, headingClass, isSorted, onSort } = props
  const t = useTranslations('interest.board')
  // The worst comes first: the most waiting questions, the least of any other figure. Names go by the alphabet.
  const direction = id === 'waiting' ? 'descending' : 'ascending'
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
        onClick={() => onSort(id)}
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
          {isSorted && id !== 'school' ? t('worst') : smallPrint}
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

type BoardTableRowProps = {
  columns: ReturnType<typeof useBoardColumns>
  row: BoardRow & { school?: HighSchool }
  name: string
  isSummary: boolean
  className?: string | undefined
}

/** The total, or the page's only school, is the summary. In other rows the name is a button that opens the school. */
function BoardTableRow({ columns, row, name, isSummary, className }: BoardTableRowProps) {
  const t = useTranslations('interest.board')
  const [, setSchools] = useSchoolFilter()
  const { school } = row
  const baseCellClass = cn(
    'border-t px-1 whitespace-nowrap desk:px-1.5',
    isSummary ? 'h-12 border-line text-base font-semibold print:h-9' : 'h-9 border-line-soft print:h-6',
  )
  return (
    <tr
      id={school && toBoardRowId(school.id)}
      tabIndex={school && -1}
      className={cn('scroll-mt-24 bg-panel target:bg-accent-soft print:bg-transparent', className)}
    >
      <th
        scope="row"
        className={cn(
          baseCellClass,
          'sticky left-0 max-w-36 min-w-22 bg-inherit pl-0 text-left text-sm whitespace-normal wide:max-w-60 wide:min-w-40 print:static print:max-w-44 print:min-w-0',
          isSummary ? 'font-semibold' : 'font-normal',
        )}
      >
        {isSummary || school === undefined ? (
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
        <td key={column.id} className={cn(baseCellClass, column.cellClass)}>
          {column.renderCell(row)}
        </td>
      ))}
    </tr>
  )
}
