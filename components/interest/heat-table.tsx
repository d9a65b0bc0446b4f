import { ArrowDown } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type RefObject, useEffect, useRef } from 'react'
import { cn } from '@/components/ui/cn'
import { sizeOf } from '@/lib/interest/axis'
import type { GridColumn, GridRow, SchoolRow } from '@/lib/interest/interest-grid'
import { useCountWords } from './figure-words'

export type GridOrder = GridColumn['name'] | 'name'

type HeatTableProps = {
  caption: string
  columns: readonly GridColumn[]
  total: GridRow | null
  rows: readonly SchoolRow[]
  most: number
  cohort: number
  order: GridOrder
  onOrder: (order: GridOrder) => void
  className: string | false
}

/** Schools by enrollment year, a cell darker the more it counts. A press on a heading orders by it. */
export function HeatTable({ caption, columns, total, rows, most, className, ...headings }: HeatTableProps) {
  const t = useTranslations('interest.grid')
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
            {(['name', ...columns.map(({ name }) => name)] as const).map((name) => (
              <Heading key={name} name={name} {...headings} />
            ))}
          </tr>
        </thead>
        <tbody>
          {total && <HeatRow name={t('all')} row={total} columns={columns} most={null} />}
          {rows.map((row) => (
            <HeatRow key={row.id} name={row.name} row={row} columns={columns} most={most} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

type HeadingProps = { name: GridOrder } & Pick<HeatTableProps, 'cohort' | 'order' | 'onOrder'>

function Heading({ name, cohort, order, onOrder }: HeadingProps) {
  const t = useTranslations('interest.grid')
  const isOn = name === order
  const isCohort = name === cohort
  const isName = name === 'name'
  return (
    <th
      scope="col"
      data-cohort={isCohort || undefined}
      title={name === 'other' || name === 'questions' ? t(`${name}Hint`) : undefined}
      aria-sort={isOn ? (isName ? 'ascending' : 'descending') : undefined}
      className={cn(
        'sticky top-0 h-7 bg-panel p-0 font-medium print:static',
        isName ? `${sticky} z-20 text-left` : 'z-10 text-right',
      )}
    >
      <button
        type="button"
        onClick={() => onOrder(name)}
        className={cn(
          'inline-flex h-full min-w-full items-center gap-0.5 rounded-xs px-1.5 whitespace-nowrap hover:text-ink touch:min-h-11',
          isName ? 'justify-start' : 'justify-end',
          isCohort || isOn ? 'font-semibold text-ink' : 'text-mute',
        )}
      >
        {isOn && !isName && <ArrowDown aria-hidden="true" className="size-3 print:hidden" />}
        {typeof name === 'number' ? name : t(isName ? 'school' : name)}
      </button>
    </th>
  )
}

/** How much of the first year in view lies under the names, in px: no number, but enough to show that there is more. */
const TUCKED = 12

function useCohortInView(): RefObject<HTMLDivElement | null> {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const heading = box.current?.querySelector('[data-cohort]')
    if (!box.current || !(heading instanceof HTMLElement)) return
    const left = (element: Element) => element.getBoundingClientRect().left
    if (left(heading) + heading.offsetWidth <= left(box.current) + box.current.clientWidth) return
    const names = box.current.querySelector('th')
    const before = heading.previousElementSibling
    const first = before === null || before === names ? heading : before
    box.current.scrollLeft += left(first) - left(box.current) - (names?.offsetWidth ?? 0) + TUCKED
  }, [])
  return box
}

const sticky = 'sticky left-0 print:static'

type HeatRowProps = Pick<HeatTableProps, 'columns'> & { name: string; row: GridRow; most: number | null }

/** The sums have no shades, and `most` is null. The cells are no components: with 147 schools there are thousands. */
function HeatRow({ name, row, columns, most }: HeatRowProps) {
  const { figure } = useCountWords()
  const isTotal = most === null
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
      {columns.map((column) => {
        const count = column.countOf(row)
        const isYear = typeof column.name === 'number'
        return (
          <td
            key={column.name}
            style={isTotal || !isYear ? undefined : { backgroundColor: shade(sizeOf(count) / most) }}
            className={cn(
              '[print-color-adjust:exact] h-7 min-w-12 rounded-xs px-1.5 text-right whitespace-nowrap',
              isTotal && 'sticky top-7.5 z-10 bg-panel print:static',
              isYear && count === 0 && 'text-faint',
              column.name === 'total' && 'font-semibold',
              column.name === 'questions' && 'text-mute',
            )}
          >
            {figure(count)}
          </td>
        )
      })}
    </tr>
  )
}

function shade(share: number): string {
  return `color-mix(in oklab, var(--color-accent) ${Math.round(Math.sqrt(share) * 40)}%, var(--color-line-soft))`
}
