import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { cn } from '@/components/ui/cn'
import type { BoardColumn, BoardOrder } from '@/lib/interest/board-order'
import { comparedYear } from '@/lib/interest/figure-words'
import { LIKELY } from '@/lib/interest/forecast'
import type { InterestPage } from '@/lib/interest/interest-page'
import { GOAL_SHARE } from '@/lib/interest/sentence'
import { useFigureWords } from './figure-words'

/** A phone has room for what these say in figures. */
export const ON_DESK = 'hidden desk:table-cell print:table-cell'

type HeadingsProps = { page: InterestPage; order: BoardOrder | null; onOrder: (order: BoardOrder) => void }

export function Headings({ page, order, onOrder }: HeadingsProps) {
  const words = useHeadings(page)
  const heading = (column: BoardColumn, className?: string) => (
    <Heading {...words[column]} column={column} order={order} onOrder={onOrder} className={className} />
  )
  return (
    <thead>
      <tr className="align-top text-xs print:text-[0.8rem]">
        {heading('school', 'sticky left-0 z-10 bg-panel pl-0 text-left print:static')}
        {heading('now')}
        {page.board.all.before !== null && (
          <>
            {heading('before', ON_DESK)}
            {heading('change')}
          </>
        )}
        {page.board.all.forecast !== null && heading('forecast', cn(ON_DESK, 'relative'))}
        {page.isWorked && (
          <>
            {heading('waiting', 'desk:pr-15 print:pr-14')}
            {heading('withinGoal', 'pr-1')}
          </>
        )}
      </tr>
    </thead>
  )
}

/** `line`: what the line of a drawing is. */
type ColumnWords = { name: string; below: string; line?: string }

/** Each column's name, and in small what it is of. */
function useHeadings(page: InterestPage): Record<BoardColumn, ColumnWords> {
  const t = useTranslations('interest.board')
  const { share } = useFigureWords()
  const { isLastYear, isOver } = comparedYear(page)
  const yearBefore = String(page.cohort - 1)
  const year = isLastYear ? t('lastYear') : yearBefore
  const hasGoal = Object.values(page.goals).some((days) => days !== null)
  const noBasis = hasGoal ? !page.hasFirstDay && 'noFirstDay' : 'noGoal'
  return {
    school: { name: t('column.school'), below: '' },
    now: { name: t(isOver ? 'column.total' : 'column.now'), below: t('below.now') },
    before: {
      name: isLastYear ? t('column.lastYear') : yearBefore,
      below: t(isOver ? 'below.beforeInAll' : 'below.before'),
    },
    change: { name: t('column.change'), below: t('below.change', { year }) },
    forecast: {
      name: t('column.forecast'),
      below: t('below.forecast', { likely: share(LIKELY) }),
      line: year,
    },
    waiting: { name: t('column.waiting'), below: t('below.waiting') },
    withinGoal: {
      name: t('column.withinGoal'),
      below: noBasis ? t(noBasis) : t('below.withinGoal', { share: share(GOAL_SHARE) }),
    },
  }
}

type HeadingProps = Pick<HeadingsProps, 'order' | 'onOrder'> &
  ColumnWords & { column: BoardColumn; className: string | undefined }

function Heading({ column, name, below, line, order, onOrder, className }: HeadingProps) {
  const t = useTranslations('interest.board')
  const isOn = order?.column === column
  const isBestFirst = order?.isBestFirst ?? false
  const words = column === 'school' ? null : t(isBestFirst ? 'best' : 'worst')
  return (
    <th
      scope="col"
      aria-sort={isOn ? (isBestFirst ? 'descending' : 'ascending') : undefined}
      className={cn('px-1 pb-2 font-semibold desk:px-1.5 desk:whitespace-nowrap print:whitespace-nowrap', className)}
    >
      {line !== undefined && (
        <span className="absolute bottom-2 left-1.5 w-16 text-center print:left-0 print:w-14">
          <Below>{line}</Below>
        </span>
      )}
      <button
        type="button"
        onClick={() => onOrder({ column, isBestFirst: isOn && !isBestFirst })}
        className="[text-align:inherit] hover:text-accent touch:min-h-11 touch:min-w-11"
      >
        {name}
        {isOn && words !== null ? (
          <>
            <span aria-hidden className="text-accent desk:hidden print:hidden">
              {isBestFirst ? ' ↓' : ' ↑'}
            </span>
            <Below className="text-accent not-desk:sr-only print:not-sr-only print:text-mute">{words}</Below>
          </>
        ) : (
          <Below className={cn(column !== 'withinGoal' && 'not-desk:sr-only print:not-sr-only')}>{below}</Below>
        )}
      </button>
    </th>
  )
}

function Below({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <small className={cn('block text-2xs font-normal text-mute print:text-[0.72rem]', className)}>{children}</small>
  )
}
