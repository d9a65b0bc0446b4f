'use client'

import { Search } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { cn } from '@/components/ui/cn'
import type { Figures } from '@/lib/interest/figures-csv'
import type { InterestPage, Unit } from '@/lib/interest/interest-page'
import type { ChartFile } from './chart-actions'
import { ChartCard } from './chart-card'
import { type GridOrder, orderedSchools } from './grid-order'
import { HeatPicture } from './heat-picture'
import { HeatTable } from './heat-table'
import { useCountWords } from './use-count-words'

const SEARCHABLE_FROM = 9

type HeatChartProps = { page: InterestPage; unit: Unit; file: Omit<ChartFile, 'name'>; className?: string }

/** How many for which year at which school. The table is the chart; its picture is drawn beside, unseen. */
export function HeatChart({ page: { grid, cohort, isWithheld }, unit, file, className }: HeatChartProps) {
  const t = useTranslations('interest')
  const [order, setOrder] = useState<GridOrder>('name')
  const [search, setSearch] = useState('')
  const rows = orderedSchools(grid.schools, { order, years: grid.years, unit, search })
  const figures = useFigures({ ...grid, schools: rows }, unit, isWithheld)
  const isLong = grid.schools.length >= SEARCHABLE_FROM
  return (
    <ChartCard
      title={t('grid.title')}
      note={t(`ofUnit.${unit}`)}
      file={{ ...file, name: `${t('grid.fileName')}-${cohort}` }}
      figures={figures}
      {...(className !== undefined && { className })}
    >
      {isLong && <SchoolSearch text={search} onChange={setSearch} shown={rows.length} count={grid.schools.length} />}
      <HeatTable
        grid={grid}
        rows={rows}
        unit={unit}
        cohort={cohort}
        isWithheld={isWithheld}
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
function useFigures(grid: InterestPage['grid'], unit: Unit, isWithheld: boolean): Figures {
  const t = useTranslations('interest.grid')
  const words = useCountWords(isWithheld)
  const lines = [
    { ...grid.total, name: t('all'), isSum: true },
    ...grid.schools.map((row) => ({ ...row, isSum: false })),
  ]
  return {
    columns: [
      t('school'),
      ...grid.years.map(String),
      ...(grid.hasOtherYears ? [t('other')] : []),
      t('total'),
      t('questions'),
    ],
    rows: lines.map(({ name, isSum, cells, other, total, questions, areQuestionsAbout }) => {
      const figure = isSum ? words.sumFigure : words.figure
      return [
        name,
        ...cells.map((count) => (isSum ? words.sumFigure(count[unit], count.isAbout) : words.figure(count[unit]))),
        ...(grid.hasOtherYears ? [figure(other[unit], other.isAbout)] : []),
        words.sumFigure(total[unit], total.isAbout),
        figure(questions, areQuestionsAbout),
      ]
    }),
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
