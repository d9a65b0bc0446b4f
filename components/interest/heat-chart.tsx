import { Search } from 'lucide-react'
import { useFormatter, useTranslations } from 'next-intl'
import { useState } from 'react'
import { shortened } from '@/lib/cut-text'
import { sizeOf } from '@/lib/interest/axis'
import type { Unit } from '@/lib/interest/interest-counts'
import { type GridColumn, type GridRow, gridColumns, largestCell, orderedSchools } from '@/lib/interest/interest-grid'
import type { InterestPage } from '@/lib/interest/interest-page'
import { ChartCard, type ChartSource } from './chart-card'
import { type GridOrder, HeatTable } from './heat-table'
import { Drawing } from './plot-frame'

const SEARCHABLE_FROM = 9

type HeatChartProps = { page: InterestPage; unit: Unit; source: ChartSource }

/** How many for which year at which school. The table is the chart; a hidden drawing of it is there for its picture. */
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
  const most = largestCell(grid, unit)
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
        most={most}
        cohort={cohort}
        order={order}
        onOrder={setOrder}
        className={isLong && 'max-h-[34rem]'}
      />
      {unit === 'people' && <p className="mt-2 text-xs text-mute">{t('grid.distinct')}</p>}
      <HeatPicture names={figures.columns} columns={columns} lines={lines} most={most} />
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
  most: number
}

function HeatPicture({ names: [school = '', ...names], columns, lines, most }: HeatPictureProps) {
  const format = useFormatter()
  const texts = (first: string, others: readonly string[], className: string) => (
    <>
      <text x={0} y={16} textAnchor="start" className={className}>
        {shortened(first, LETTERS)}
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
                  fillOpacity={0.05 + (index === 0 ? 0 : 0.4 * Math.sqrt(sizeOf(count) / most))}
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
