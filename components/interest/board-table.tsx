import { ArrowDown, ArrowUp } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type ReactNode, useState } from 'react'
import { useSchoolFilter } from '@/components/desk/schools'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import type { BoardRow } from '@/lib/interest/board'
import { type BoardColumn, type BoardOrder, orderedRows } from '@/lib/interest/board-order'
import type { InterestPage } from '@/lib/interest/interest-page'
import { GOAL_SHARE, sentence } from '@/lib/interest/sentence'
import { comparedYear, NO_VALUE } from '@/lib/interest/figure-words'
import { Change, Goal, Range, RangeText, reachOf, Season, Waiting } from './board-cells'
import { ChartCard, type ChartSource, TablePicture } from './chart-card'
import { useFigureWords } from './figure-words'

export const BOARD_ID = 'board'
export const rowId = (school: string) => `board-${school}`

/** A phone has room for what these say in figures. */
const ON_DESK = 'hidden desk:table-cell print:table-cell'

/** More begin folded, and are not on paper. */
const ROWS_SHOWN = 12

export function BoardTable({ page, source }: { page: InterestPage; source: ChartSource }) {
  const t = useTranslations('interest.board')
  const [isWhole, setWhole] = useState(false)
  const { length } = page.board.schools
  const figures = useFigures(page)
  return (
    <ChartCard
      id={BOARD_ID}
      title={t('title')}
      note={page.board.all.change === null ? '' : t('note')}
      file={{ ...source, name: `${t('fileName')}-${page.cohort}` }}
      figures={figures}
      picture={() => <TablePicture {...figures} />}
    >
      <Schools page={page} isWhole={isWhole} />
      {length > ROWS_SHOWN && (
        <Button size="sm" className="mt-3 self-start" onClick={() => setWhole(!isWhole)}>
          {isWhole ? t('showFewer') : t('showAll', { count: length })}
        </Button>
      )}
      {length > ROWS_SHOWN && (
        <p className="mt-1 hidden text-2xs text-mute print:block">{t('morePaper', { count: length - ROWS_SHOWN })}</p>
      )}
    </ChartCard>
  )
}

function Schools({ page, isWhole }: { page: InterestPage; isWhole: boolean }) {
  const t = useTranslations('interest.board')
  const { all, schools } = page.board
  const column = all.change === null ? 'waiting' : 'change'
  const [order, setOrder] = useState<BoardOrder>({ column, isBestFirst: false })
  const reach = reachOf([all, ...schools])
  // What the sentence says of a school is seen in its row.
  const named = new Set(sentence(page.board).map(({ school }) => school?.id))
  const isOnOneYear = ({ forecast }: BoardRow) => forecast?.years.length === 1
  return (
    <div role="region" aria-label={t('tableOf')} tabIndex={0} className="relative overflow-x-auto scroll-thin">
      <table className="tabular w-full desk:min-w-[54rem] border-collapse text-right text-sm print:min-w-0 print:text-[0.9rem]">
        <caption className="sr-only">{t('title')}</caption>
        <Headings page={page} order={schools.length > 1 ? order : null} onOrder={setOrder} />
        <tbody>
          {schools.length > 1 && (
            <Row {...{ page, reach }} row={all} name={t('all', { count: schools.length })} isLarge />
          )}
          {orderedRows(schools, order).map(
            (row, place) =>
              (isWhole || place < ROWS_SHOWN || named.has(row.school.id)) && (
                <Row
                  key={row.school.id}
                  {...{ page, reach }}
                  row={row}
                  id={rowId(row.school.id)}
                  name={row.school.name}
                  school={schools.length > 1 ? row.school.id : undefined}
                  isLarge={schools.length === 1}
                  isOnOneYear={isOnOneYear(row) && !isOnOneYear(all)}
                  className={cn(place >= ROWS_SHOWN && 'print:hidden')}
                />
              ),
          )}
        </tbody>
      </table>
    </div>
  )
}

type HeadingsProps = { page: InterestPage; order: BoardOrder | null; onOrder: (order: BoardOrder) => void }

function Headings({ page, order, onOrder }: HeadingsProps) {
  const words = useHeadings(page)
  const heading = (column: BoardColumn, className?: string) => (
    <Heading {...words[column]} column={column} order={order} onOrder={onOrder} className={className} />
  )
  return (
    <thead>
      <tr className="align-top text-xs print:text-[0.8rem]">
        {heading('school', 'sticky left-0 z-10 bg-panel pl-1 text-left print:static')}
        {heading('now')}
        {page.board.all.change !== null && (
          <>
            {heading('before', ON_DESK)}
            {heading('change')}
            <th scope="col" className={cn('pb-2 pl-3 text-left font-semibold', ON_DESK)}>
              {words.season.name}
              <Below>{words.season.below}</Below>
            </th>
          </>
        )}
        {page.board.all.forecast !== null && heading('forecast', ON_DESK)}
        {heading('first', ON_DESK)}
        {heading('waiting')}
        {heading('withinGoal', 'pr-1')}
      </tr>
    </thead>
  )
}

/** Each column's name, and in small what it is of. */
function useHeadings(page: InterestPage): Record<BoardColumn | 'season', { name: string; below: string }> {
  const t = useTranslations('interest.board')
  const { share } = useFigureWords()
  const { isLastYear, isOver } = comparedYear(page)
  const yearBefore = String(page.cohort - 1)
  const year = isLastYear ? t('lastYear') : yearBefore
  const hasGoal = Object.values(page.goals).some((days) => days !== null)
  const isOnOneYear = page.board.all.forecast?.years.length === 1
  return {
    school: { name: t('column.school'), below: '' },
    now: { name: t(isOver ? 'column.total' : 'column.now'), below: t('below.now') },
    before: {
      name: isLastYear ? t('column.lastYear') : yearBefore,
      below: t(isOver ? 'below.beforeInAll' : 'below.before'),
    },
    change: { name: t('column.change'), below: t('below.change', { year }) },
    season: { name: t('column.season'), below: t('below.season', { year }) },
    forecast: { name: t('column.forecast'), below: t(isOnOneYear ? 'oneYear' : 'below.forecast', { year }) },
    first: { name: t('column.first'), below: t('below.first') },
    waiting: { name: t('column.waiting'), below: t('below.waiting') },
    withinGoal: {
      name: t('column.withinGoal'),
      below: hasGoal ? t('below.withinGoal', { share: share(GOAL_SHARE) }) : t('noGoal'),
    },
  }
}

type HeadingProps = Pick<HeadingsProps, 'order' | 'onOrder'> & {
  column: BoardColumn
  name: string
  below: string
  className: string | undefined
}

function Heading({ column, name, below, order, onOrder, className }: HeadingProps) {
  const t = useTranslations('interest.board')
  const isOn = order?.column === column
  const isBestFirst = order?.isBestFirst ?? false
  const Arrow = isBestFirst ? ArrowUp : ArrowDown
  const words = column === 'school' ? null : t(isBestFirst ? 'best' : 'worst')
  return (
    <th
      scope="col"
      aria-sort={isOn ? (isBestFirst ? 'descending' : 'ascending') : undefined}
      className={cn('px-1 pb-2 font-semibold desk:px-1.5 desk:whitespace-nowrap print:whitespace-nowrap', className)}
    >
      <button
        type="button"
        onClick={() => onOrder({ column, isBestFirst: isOn && !isBestFirst })}
        className="[text-align:inherit] hover:text-accent touch:min-h-11"
      >
        {name}
        <Below>
          {isOn && words !== null ? (
            <span className="text-accent print:text-mute">
              <span className="not-desk:sr-only print:not-sr-only">{words}</span>
              <Arrow aria-hidden className="ml-0.5 inline size-3" />
            </span>
          ) : (
            <span className={cn(column !== 'withinGoal' && 'not-desk:sr-only print:not-sr-only')}>{below}</span>
          )}
        </Below>
      </button>
    </th>
  )
}

function Below({ children }: { children: ReactNode }) {
  return (
    <small className="block text-2xs font-normal whitespace-nowrap text-mute print:text-[0.72rem]">{children}</small>
  )
}

type RowProps = {
  page: InterestPage
  row: BoardRow
  reach: number
  id?: string
  name: string
  /** Which school the row opens. */
  school?: string | undefined
  isLarge: boolean
  isOnOneYear?: boolean
  className?: string
}

function Row({ page, reach, row, id, name, school, isLarge, isOnOneYear = false, className }: RowProps) {
  const { all } = page.board
  const { figure, share } = useFigureWords()
  const cell = cn(
    'border-t px-1 whitespace-nowrap desk:px-1.5',
    isLarge ? 'h-12 border-line text-base font-semibold print:h-9' : 'h-9 border-line-soft print:h-6',
  )
  return (
    <tr
      id={id}
      tabIndex={id === undefined ? undefined : -1}
      className={cn('scroll-mt-24 bg-panel target:bg-accent-soft print:bg-transparent', className)}
    >
      <th
        scope="row"
        className={cn(
          cell,
          'sticky left-0 max-w-36 min-w-24 bg-inherit pl-1 text-left text-sm whitespace-normal wide:max-w-60 wide:min-w-44 print:static print:max-w-44 print:min-w-0',
          isLarge ? 'font-semibold' : 'font-normal',
        )}
      >
        <Name name={name} school={school} />
      </th>
      <td className={cell}>{figure(row.now)}</td>
      {all.change !== null && <ComparedCells row={row} cell={cell} />}
      {all.forecast !== null && (
        <td className={cn(cell, ON_DESK, 'pl-0')}>
          <div className="flex items-center justify-end gap-2">
            <Range row={row} reach={reach} />
            <RangeText row={row} isOnOneYear={isOnOneYear} />
          </div>
        </td>
      )}
      <td className={cn(cell, ON_DESK)}>{share(row.first)}</td>
      <td className={cell}>
        <Waiting row={row} />
      </td>
      <td className={cn(cell, 'pr-1')}>
        <Goal share={row.withinGoal} />
      </td>
    </tr>
  )
}

function ComparedCells({ row, cell }: { row: BoardRow; cell: string }) {
  const { figure } = useFigureWords()
  return (
    <>
      <td className={cn(cell, ON_DESK, 'font-normal text-mute')}>
        {row.before === null ? NO_VALUE : figure(row.before)}
      </td>
      <td className={cell}>
        <Change change={row.change} />
      </td>
      <td className={cn(cell, ON_DESK, 'pl-3')}>
        <Season row={row} />
      </td>
    </>
  )
}

function Name({ name, school }: Pick<RowProps, 'name' | 'school'>) {
  const t = useTranslations('interest.board')
  const [, setSchools] = useSchoolFilter()
  if (school === undefined) return name
  return (
    <button
      type="button"
      title={t('open', { school: name })}
      onClick={() => setSchools([school])}
      className="text-left leading-tight text-pretty underline-offset-2 hover:underline touch:min-h-11 print:line-clamp-2"
    >
      {name}
    </button>
  )
}

const FILE_COLUMNS = [
  'school',
  'now',
  'before',
  'change',
  'low',
  'high',
  'ended',
  'first',
  'waiting',
  'late',
  'withinGoal',
] as const

function useFigures({ board: { all, schools } }: InterestPage) {
  const t = useTranslations('interest.board')
  const percent = (share: number | null) => (share === null ? null : Math.round(share * 100))
  const cells = (row: BoardRow) => [
    row.now,
    row.before,
    percent(row.change?.by ?? null),
    row.forecast?.low ?? null,
    row.forecast?.high ?? null,
    row.beforeInAll,
    percent(row.first),
    row.waiting,
    row.late,
    percent(row.withinGoal),
  ]
  return {
    columns: FILE_COLUMNS.map((name) => t(`file.${name}`)),
    rows: [
      ...(schools.length > 1 ? [[t('all', { count: schools.length }), ...cells(all)]] : []),
      ...schools.map((row) => [row.school.name, ...cells(row)]),
    ],
  }
}
