import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useSchoolFilter } from '@/components/desk/schools'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import type { BoardRow } from '@/lib/interest/board'
import { type BoardColumn, type BoardOrder, orderedRows } from '@/lib/interest/board-order'
import type { InterestPage } from '@/lib/interest/interest-page'
import { type Clause, sentence } from '@/lib/interest/sentence'
import { Change, Goal, NoValue, Range, RangeText, reachOf, SoFar, Waiting } from './board-cells'
import { Headings, ON_DESK } from './board-headings'
import { ChartCard, type ChartSource, TablePicture } from './chart-card'
import { useFigureWords } from './figure-words'

export const BOARD_ID = 'board'
export const rowId = (school: string) => `board-${school}`

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
      file={{ ...source, name: `${t('fileName')}-${page.cohort}` }}
      figures={figures}
      picture={() => <TablePicture {...figures} />}
    >
      <Schools page={page} isWhole={isWhole} />
      {length > ROWS_SHOWN && (
        <Button
          text={isWhole ? t('showFewer') : t('showAll', { count: length })}
          size="sm"
          className="mt-3 self-start"
          onClick={() => setWhole(!isWhole)}
        />
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
  const said = sentence(page.board)
  const [order, setOrder] = useState<BoardOrder>({ column: worstColumn(said, page), isBestFirst: false })
  const reach = reachOf([all, ...schools])
  // What the sentence says of a school is seen in its row.
  const named = new Set(said.map(({ school }) => school?.id))
  return (
    <div
      role="region"
      aria-label={t('tableOf')}
      tabIndex={0}
      className="relative overflow-x-auto scroll-thin not-desk:mt-3"
    >
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
                  className={cn(place >= ROWS_SHOWN && 'print:hidden')}
                />
              ),
          )}
        </tbody>
      </table>
    </div>
  )
}

/** Where what the sentence complains of is seen first. */
function worstColumn(said: readonly Clause[], { board, isWorked }: InterestPage): BoardColumn {
  if (said.some(({ message }) => message === 'misses' || message === 'missesInAll')) return 'withinGoal'
  if (board.all.before !== null) return 'change'
  return isWorked ? 'waiting' : 'school'
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
  className?: string
}

function Row({ page, reach, row, id, name, school, isLarge, className }: RowProps) {
  const { all } = page.board
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
          'sticky left-0 max-w-36 min-w-22 bg-inherit pl-0 text-left text-sm whitespace-normal wide:max-w-60 wide:min-w-40 print:static print:max-w-44 print:min-w-0',
          isLarge ? 'font-semibold' : 'font-normal',
        )}
      >
        <Name name={name} school={school} />
      </th>
      <td className={cell}>
        <SoFar row={row} page={page} />
      </td>
      {all.before !== null && <ComparedCells row={row} cell={cell} />}
      {all.forecast !== null && (
        <td className={cn(cell, ON_DESK, LAST_YEAR)}>
          <div className="flex items-center justify-end gap-2">
            <Range row={row} reach={reach} />
            <RangeText row={row} />
          </div>
        </td>
      )}
      {page.isWorked && (
        <>
          <td className={cell}>
            <Waiting row={row} />
          </td>
          <td className={cn(cell, 'pr-1')}>
            <Goal row={row} />
          </td>
        </>
      )}
    </tr>
  )
}

/** Where last year ended, as one line through all rows. */
const LAST_YEAR =
  'relative pl-0 before:absolute before:-top-px before:bottom-0 before:left-[2.375rem] before:border-l before:border-mute print:before:left-7'

function ComparedCells({ row, cell }: { row: BoardRow; cell: string }) {
  const { figure } = useFigureWords()
  return (
    <>
      <td className={cn(cell, ON_DESK, 'font-normal text-mute')}>
        {row.before === null ? <NoValue of="before" /> : figure(row.before)}
      </td>
      <td className={cell}>{row.before === null ? <NoValue of="before" /> : <Change change={row.change} />}</td>
    </>
  )
}

function Name({ name, school }: Pick<RowProps, 'name' | 'school'>) {
  const t = useTranslations('interest.board')
  const [, setSchools] = useSchoolFilter()
  if (school === undefined) return <span>{name}</span>
  return (
    <button
      type="button"
      title={t('open', { school: name })}
      onClick={() => setSchools([school])}
      className="py-1 text-left leading-tight text-pretty underline-offset-2 hover:underline touch:min-h-11 print:line-clamp-2 print:py-0"
    >
      {name}
    </button>
  )
}

const FILE_COLUMNS = ['school', 'now', 'before', 'change', 'low', 'high', 'ended'] as const
const WORK_COLUMNS = ['waiting', 'late', 'withinGoal'] as const

function useFigures({ board: { all, schools }, isWorked, hasFirstDay }: InterestPage) {
  const t = useTranslations('interest.board')
  const percent = (share: number | null) => (share === null ? null : Math.round(share * 100))
  const cells = (row: BoardRow) => [
    row.now,
    row.before,
    percent(row.change),
    row.forecast?.low ?? null,
    row.forecast?.high ?? null,
    row.beforeInAll,
    ...(isWorked ? [row.waiting, hasFirstDay ? row.late : null, percent(row.withinGoal)] : []),
  ]
  return {
    columns: [...FILE_COLUMNS, ...(isWorked ? WORK_COLUMNS : [])].map((name) => t(`file.${name}`)),
    rows: [
      ...(schools.length > 1 ? [[t('all', { count: schools.length }), ...cells(all)]] : []),
      ...schools.map((row) => [row.school.name, ...cells(row)]),
    ],
  }
}
