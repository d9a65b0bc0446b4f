import { ArrowDown } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { cn } from '@/components/ui/cn'
import { sizeOf } from '@/lib/interest/axis'
import type { Unit } from '@/lib/interest/interest-counts'
import { type GridOrder, type InterestGrid, largestCell, type SchoolRow } from '@/lib/interest/interest-grid'
import { useCountWords } from './figure-words'

type HeatTableProps = {
  grid: InterestGrid
  /** The schools to show, in their order. */
  rows: readonly SchoolRow[]
  unit: Unit
  cohort: number
  order: GridOrder
  onOrder: (order: GridOrder) => void
  className?: string
}

/** Schools by enrollment year, a cell darker the more it counts. It scrolls within itself; a press on a heading orders by it. */
export function HeatTable({ grid, rows, unit, cohort, order, onOrder, className }: HeatTableProps) {
  const t = useTranslations('interest.grid')
  const unitName = useTranslations('interest.unit')(unit)
  const caption = t('caption', { unit: unitName })
  const most = largestCell(grid, unit)
  const heading = (column: GridOrder, name: ReactNode, title?: string) => (
    <Heading
      key={column}
      column={column}
      isOn={column === order}
      isCohort={column === cohort}
      title={title}
      onOrder={onOrder}
    >
      {name}
    </Heading>
  )
  const line = { years: grid.years, unit, most, hasOther: grid.hasOtherYears }
  return (
    <div
      ref={useCohortInView()}
      role="region"
      aria-label={caption}
      tabIndex={0}
      className={cn('min-h-0 overflow-auto scroll-thin print:max-h-none print:overflow-visible', className)}
    >
      <table className="tabular w-full border-separate border-spacing-0.5 text-xs">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {heading('name', t('school'))}
            {grid.years.map((year) => heading(year, year))}
            {grid.hasOtherYears && heading('other', t('other'), t('otherHint'))}
            {heading('total', t('total'))}
            {heading('questions', t('questions'), t('questionsHint'))}
          </tr>
        </thead>
        <tbody>
          {grid.schools.length > 1 && <HeatRow name={t('all')} row={grid.total} isTotal {...line} />}
          {rows.map((row) => (
            <HeatRow key={row.id} name={row.name} row={row} {...line} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

type HeadingProps = {
  column: GridOrder
  isOn: boolean
  isCohort: boolean
  title: string | undefined
  onOrder: (order: GridOrder) => void
  children: ReactNode
}

function Heading({ column, isOn, isCohort, title, onOrder, children }: HeadingProps) {
  const isName = column === 'name'
  return (
    <th
      scope="col"
      data-cohort={isCohort || undefined}
      title={title}
      aria-sort={isOn ? (isName ? 'ascending' : 'descending') : undefined}
      className={cn(
        'sticky top-0 h-7 bg-panel p-0 font-medium print:static',
        isName ? `${sticky} z-20 text-left` : 'z-10 text-right',
      )}
    >
      <button
        type="button"
        onClick={() => onOrder(column)}
        className={cn(
          'inline-flex h-full min-w-full items-center gap-0.5 rounded-xs px-1.5 whitespace-nowrap hover:text-ink touch:min-h-11',
          isName ? 'justify-start' : 'justify-end',
          isCohort || isOn ? 'font-semibold text-ink' : 'text-mute',
        )}
      >
        {isOn && !isName && <ArrowDown aria-hidden="true" className="size-3 print:hidden" />}
        {children}
      </button>
    </th>
  )
}

/** How much of the first year in view lies under the names, in px: no number, but enough to show that there is more. */
const TUCKED = 12

/** Where the table is wider than its place, it opens at the chosen cohort. */
function useCohortInView(): RefObject<HTMLDivElement | null> {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const heading = box.current?.querySelector('[data-cohort]')
    if (!box.current || !(heading instanceof HTMLElement)) return
    const left = (element: Element) => element.getBoundingClientRect().left
    if (left(heading) + heading.offsetWidth <= left(box.current) + box.current.clientWidth) return
    const names = box.current.querySelector('th')
    // The year before it stays in view too.
    const before = heading.previousElementSibling
    const first = before === null || before === names ? heading : before
    box.current.scrollLeft += left(first) - left(box.current) - (names?.offsetWidth ?? 0) + TUCKED
  }, [])
  return box
}

const sticky = 'sticky left-0 print:static'

type HeatRowProps = {
  name: string
  years: readonly number[]
  row: InterestGrid['total']
  unit: Unit
  /** The largest number of a cell, which is darkest. */
  most: number
  hasOther: boolean
  isTotal?: boolean
}

/** The cells are no components of their own: with 147 schools there are thousands. */
function HeatRow({ name, years, row, unit, most, hasOther, isTotal = false }: HeatRowProps) {
  const { figure } = useCountWords()
  return (
    <tr className={cn(isTotal && 'font-semibold')}>
      <th
        scope="row"
        title={name}
        className={cn(
          sticky,
          'z-10 max-w-32 min-w-32 truncate bg-panel pr-2 pl-1.5 text-left desk:max-w-60 desk:min-w-36 print:max-w-56 print:whitespace-normal',
          isTotal ? 'top-7.5 z-20 font-semibold' : 'font-normal',
        )}
      >
        {name}
      </th>
      {years.map((year, column) => {
        const count = row.cells[column]?.[unit] ?? 0
        return (
          <td
            key={year}
            style={isTotal ? undefined : { backgroundColor: shade(sizeOf(count) / most) }}
            className={cn(cellClass, isTotal && totalClass, count === 0 && 'text-faint')}
          >
            {figure(count)}
          </td>
        )
      })}
      {hasOther && <td className={cn(cellClass, isTotal && totalClass)}>{figure(row.other[unit])}</td>}
      <td className={cn(cellClass, 'font-semibold', isTotal && totalClass)}>{figure(row.total[unit])}</td>
      <td className={cn(cellClass, 'text-mute', isTotal && totalClass)}>{figure(row.questions)}</td>
    </tr>
  )
}

const cellClass = '[print-color-adjust:exact] h-7 min-w-12 rounded-xs px-1.5 text-right whitespace-nowrap'
const totalClass = 'sticky top-7.5 z-10 bg-panel print:static'

/** By the root, so that one large school does not make all others alike. */
function shade(share: number): string {
  return `color-mix(in oklab, var(--color-accent) ${Math.round(Math.sqrt(share) * 40)}%, var(--color-line-soft))`
}
