import { Search } from 'lucide-react'
import { useFormatter, useTranslations } from 'next-intl'
import { useState } from 'react'
import { cn } from '@/components/ui/cn'
import { shortened } from '@/lib/cut-text'
import type { Cell, Figures } from '@/lib/export/csv'
import { sizeOf } from '@/lib/interest/axis'
import type { Unit } from '@/lib/interest/interest-counts'
import {
  type GridOrder,
  type InterestGrid,
  largestCell,
  orderedSchools,
  type SchoolRow,
} from '@/lib/interest/interest-grid'
import type { InterestPage } from '@/lib/interest/interest-page'
import { ChartCard, type ChartSource } from './chart-card'
import { HeatTable } from './heat-table'
import { Drawing } from './plot-frame'

const SEARCHABLE_FROM = 9

type HeatChartProps = { page: InterestPage; unit: Unit; source: ChartSource; className?: string }

/** How many for which year at which school. The table is the chart; a hidden drawing of it is there for its picture. */
export function HeatChart({ page: { grid, cohort }, unit, source, className }: HeatChartProps) {
  const t = useTranslations('interest')
  const [order, setOrder] = useState<GridOrder>('name')
  const [search, setSearch] = useState('')
  const rows = orderedSchools(grid.schools, { order, years: grid.years, unit, search })
  const figures = useFigures({ ...grid, schools: rows }, unit)
  const isLong = grid.schools.length >= SEARCHABLE_FROM
  return (
    <ChartCard
      title={t('grid.title')}
      note={t(`ofUnit.${unit}`)}
      file={{ ...source, name: `${t('grid.fileName')}-${cohort}` }}
      figures={figures}
      isLong
      {...(className !== undefined && { className })}
    >
      {isLong && <SchoolSearch text={search} onChange={setSearch} shown={rows.length} count={grid.schools.length} />}
      <HeatTable
        grid={grid}
        rows={rows}
        unit={unit}
        cohort={cohort}
        order={order}
        onOrder={setOrder}
        className={cn(isLong && 'max-h-[34rem]')}
      />
      {unit === 'people' && <p className="mt-2 text-xs text-mute">{t('grid.distinct')}</p>}
      <HeatPicture figures={figures} grid={grid} rows={rows} unit={unit} />
    </ChartCard>
  )
}

/** As on screen: the sums first, then the schools in their order. */
function useFigures(grid: InterestGrid, unit: Unit): Figures {
  const t = useTranslations('interest.grid')
  return {
    columns: [
      t('school'),
      ...grid.years.map(String),
      ...(grid.hasOtherYears ? [t('other')] : []),
      t('total'),
      t('questions'),
    ],
    rows: [{ ...grid.total, name: t('all') }, ...grid.schools].map(({ name, cells, other, total, questions }) => [
      name,
      ...cells.map((count) => count[unit]),
      ...(grid.hasOtherYears ? [other[unit]] : []),
      total[unit],
      questions,
    ]),
  }
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

type HeatPictureProps = { figures: Figures; grid: InterestGrid; rows: readonly SchoolRow[]; unit: Unit }

/** How many characters of a school's name there is room for. */
const LETTERS = 38

/** The table as a drawing, for its picture only. */
function HeatPicture({ figures, grid, rows, unit }: HeatPictureProps) {
  const format = useFormatter()
  const most = largestCell(grid, unit)
  const width = NAME + (figures.columns.length - 1) * COLUMN
  const x = (column: number) => (column === 0 ? 0 : NAME + column * COLUMN - 6)
  const texts = (cells: readonly Cell[], y: number, className: string) =>
    cells.map((cell, column) => (
      <text
        key={figures.columns[column]}
        x={x(column)}
        y={y}
        textAnchor={column === 0 ? 'start' : 'end'}
        className={className}
      >
        {column === 0 ? shortened(String(cell), LETTERS) : typeof cell === 'number' ? format.number(cell) : cell}
      </text>
    ))
  return (
    <div hidden>
      <Drawing width={width} height={(figures.rows.length + 1) * ROW} className="tabular text-xs">
        {texts(figures.columns, 16, 'fill-mute font-medium')}
        {figures.rows.map((line, index) => (
          <g key={rows[index - 1]?.id ?? ''} transform={`translate(0 ${(index + 1) * ROW})`}>
            {grid.years.map((year, column) => (
              <rect
                key={year}
                x={NAME + column * COLUMN + 2}
                y="1"
                width={COLUMN - 4}
                height={ROW - 2}
                rx="3"
                className="fill-accent"
                fillOpacity={0.05 + 0.4 * Math.sqrt(sizeOf(rows[index - 1]?.cells[column]?.[unit] ?? 0) / most)}
              />
            ))}
            {texts(line, 16, index === 0 ? 'fill-ink font-semibold' : 'fill-ink')}
          </g>
        ))}
      </Drawing>
    </div>
  )
}
