import { ArrowDown, Search } from 'lucide-react'
import { useFormatter, useTranslations } from 'next-intl'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { cn } from '@/components/ui/cn'
import { truncate } from '@/lib/cut-text'
import { sizeOf } from '@/lib/interest/axis'
import type { Unit } from '@/lib/interest/interest-counts'
import {
  type GridColumn,
  gridColumns,
  type GridRow,
  largestCell,
  orderedSchools,
  type SchoolRow,
} from '@/lib/interest/interest-grid'
import type { InterestPage } from '@/lib/interest/interest-page'
import { ChartCard, type ChartSource } from './chart-card'
import { useCountFormat } from './figure-words'
import { Drawing } from './plot-frame'

const SEARCHABLE_FROM = 9

type HeatChartProps = { page: InterestPage; unit: Unit; source: ChartSource }

/** The table is the chart; a hidden drawing of it is there for its picture. */
export function HeatChart({ page: { grid, cohort }, unit, source }: HeatChartProps) {
  const t = useTranslations('interest')
  const [order, setOrder] = useState<GridOrder>('name')
  const [search, setSearch] = useState('')
  const columns = gridColumns(grid, unit)
  const by = columns.find(({ name }) => name === order)
  const rows = orderedSchools(grid.schools, by, search)
  const lines = [{ ...grid.total, id: '', name: t('grid.all') }, ...rows]
  const figures = {
    columns: [
      t('grid.school'),
      ...columns.map(({ name }) => (typeof name === 'number' ? String(name) : t(`grid.${name}`))),
    ],
    rows: lines.map((row) => [row.name, ...columns.map(({ countOf }) => countOf(row))]),
  }
  const isLong = grid.schools.length >= SEARCHABLE_FROM
  const max = largestCell(grid, unit)
  return (
    <ChartCard
      title={t('grid.title')}
      note={t(`ofUnit.${unit}`)}
      file={{ ...source, name: `${t('grid.fileName')}-${cohort}` }}
      figures={figures}
      isLong
    >
      {isLong && <SchoolSearch text={search} onChange={setSearch} shown={rows.length} count={grid.schools.length} />}
      <HeatTable
        caption={t('grid.caption', { unit: t(`unit.${unit}`) })}
        columns={columns}
        total={grid.schools.length > 1 ? grid.total : null}
        rows={rows}
        max={max}
        cohort={cohort}
        order={order}
        onOrder={setOrder}
        className={isLong && 'max-h-[34rem]'}
      />
      {unit === 'people' && <p className="mt-2 text-xs text-mute">{t('grid.distinct')}</p>}
      <HeatPicture names={figures.columns} columns={columns} lines={lines} max={max} />
    </ChartCard>
  )
}

type SchoolSearchProps = { text: string; onChange: (text: string) => void; shown: number; count: number }

function SchoolSearch({ text, onChange, shown, count }: SchoolSearchProps) {
  const t = useTranslations('interest.grid')
  return (
    <div className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-1 print:hidden">
      <label className="flex w-64 max-w-full items-center gap-2 rounded-md border border-field-line px-2.5 text-faint focus-within:border-accent">
        <Search className="size-3.5 shrink-0" aria-hidden="true" />
        <input
          type="search"
          value={text}
          onChange={(event) => onChange(event.target.value)}
          placeholder={t('search')}
          aria-label={t('search')}
          className="h-7.5 min-w-0 flex-1 bg-transparent text-sm text-ink outline-none touch:h-11 touch:text-[1rem]"
        />
      </label>
      <p role="status" className="tabular text-xs text-mute">
        {shown === 0 ? t('noMatch') : t('shown', { shown, count })}
      </p>
    </div>
  )
}

const NAME = 250
const COLUMN = 74
const ROW = 24
const LETTERS = 38

type HeatPictureProps = {
  names: readonly string[]
  columns: readonly GridColumn[]
  lines: readonly (GridRow & { id: string; name: string })[]
  max: number
}

function HeatPicture({ names: [school = '', ...names], columns, lines, max }: HeatPictureProps) {
  const format = useFormatter()
  const texts = (first: string, others: readonly string[], className: string) => (
    <>
      <text x={0} y={16} textAnchor="start" className={className}>
        {truncate(first, LETTERS)}
      </text>
      {others.map((text, column) => (
        <text key={names[column]} x={NAME + (column + 1) * COLUMN - 6} y={16} textAnchor="end" className={className}>
          {text}
        </text>
      ))}
    </>
  )
  return (
    <div hidden>
      <Drawing width={NAME + columns.length * COLUMN} height={(lines.length + 1) * ROW} className="tabular text-xs">
        {texts(school, names, 'fill-mute font-medium')}
        {lines.map((line, index) => {
          const counts = columns.map(({ name, countOf }) => ({ name, count: countOf(line) }))
          const years = counts.filter(({ name }) => typeof name === 'number')
          const words = counts.map(({ count }) => (count === '<5' ? count : format.number(count)))
          return (
            <g key={line.id} transform={`translate(0 ${(index + 1) * ROW})`}>
              {years.map(({ name, count }, column) => (
                <rect
                  key={name}
                  x={NAME + column * COLUMN + 2}
                  y="1"
                  width={COLUMN - 4}
                  height={ROW - 2}
                  rx="3"
                  className="fill-accent"
                  fillOpacity={0.05 + (index === 0 ? 0 : 0.4 * Math.sqrt(sizeOf(count) / max))}
                />
              ))}
              {texts(line.name, words, index === 0 ? 'fill-ink font-semibold' : 'fill-ink')}
            </g>
          )
        })}
      </Drawing>
    </div>
  )
}

type GridOrder = GridColumn['name'] | 'name'

type HeatTableProps = {
  caption: string
  columns: readonly GridColumn[]
  total: GridRow | null
  rows: readonly SchoolRow[]
  max: number
  cohort: number
  order: GridOrder
  onOrder: (order: GridOrder) => void
  className: string | false
}

function HeatTable({ caption, columns, total, rows, max, className, ...headings }: HeatTableProps) {
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
          {total && <HeatRow name={t('all')} row={total} columns={columns} max={null} />}
          {rows.map((row) => (
            <HeatRow key={row.id} name={row.name} row={row} columns={columns} max={max} />
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

type HeatRowProps = Pick<HeatTableProps, 'columns'> & { name: string; row: GridRow; max: number | null }

/** `max` is null for the sums, which have no shades. No components: with 147 schools there are thousands of cells. */
function HeatRow({ name, row, columns, max }: HeatRowProps) {
  const { figure } = useCountFormat()
  const isTotal = max === null
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
            style={isTotal || !isYear ? undefined : { backgroundColor: shade(sizeOf(count) / max) }}
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
