'use client'

import { useFormatter, useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import { cycleDate, dayZero } from '@/lib/interest/cohort'
import type { CycleCurves } from '@/lib/interest/cycle-curves'
import { dayAndMonth } from '@/lib/interest/day-words'
import type { Figures } from '@/lib/interest/figures-csv'
import type { InterestPage, Unit } from '@/lib/interest/interest-page'
import type { ChartFile } from './chart-actions'
import { ChartCard } from './chart-card'
import { ChartReader } from './chart-reader'
import { CurveSwatch } from './curve-looks'
import { CurvesPlot, dayUnder } from './curves-plot'
import { CycleKey } from './cycle-key'
import { ReadOut } from './read-out'
import { useChartWidth } from './use-chart-width'

type CurvesChartProps = { page: InterestPage; unit: Unit; file: Omit<ChartFile, 'name'> }

/** Cohorts beside each other, day by day of the admission year. */
export function CurvesChart({ page: { curves, cohort, cycle }, unit, file }: CurvesChartProps) {
  const t = useTranslations('interest')
  const locale = useLocale()
  const format = useFormatter()
  const [box, width] = useChartWidth()
  const count = curves.lastDay - curves.firstDay + 1
  const [chosen, setChosen] = useState<number | null>(null)
  const at = chosen ?? Math.min(count - 1, Math.max(0, curves.today - curves.firstDay))
  const pointName = usePointName(cycle, cohort)
  const values = curves.cohorts.map((curve) => ({ year: curve.year, value: curve[unit][at] }))
  const words = (value: number | undefined) => (value === undefined ? t('curves.none') : format.number(value))
  const figures = useFigures(curves, unit, cycle, cohort)
  const point = pointName(curves.firstDay + at)
  return (
    <ChartCard
      title={t('curves.title')}
      note={t('curves.note', { day: dayAndMonth(cycleDate(cohort, cycle.applicationCloses), locale) })}
      file={{ ...file, name: `${t('curves.fileName')}-${cohort}` }}
      figures={figures}
      table={{ ...figures, rows: figures.rows.filter((_, index) => (count - 1 - index) % 7 === 0 || index === at) }}
      className="h-full"
    >
      <ReadOut
        values={values.map(({ year, value }, index) => ({
          name: String(year),
          swatch: <CurveSwatch index={index} />,
          value: words(value),
        }))}
        point={point}
      />
      <ChartReader
        boxRef={box}
        title={t('curves.title')}
        summary={t('curves.summary', { years: curves.cohorts.map(({ year }) => year).join(', ') })}
        count={count}
        at={at}
        onMove={setChosen}
        valueText={`${point}: ${values.map(({ year, value }) => `${year} ${words(value)}`).join(', ')}`}
        pointUnder={(x) => dayUnder(x, width, count)}
      >
        <CurvesPlot curves={curves} unit={unit} cycle={cycle} cohort={cohort} width={width} at={at} />
      </ChartReader>
      <CycleKey cycle={cycle} cohort={cohort} withLetters={width < 600} />
    </ChartCard>
  )
}

/** `19 nov, 88 dagar före 15 feb`. */
function usePointName(cycle: InterestPage['cycle'], cohort: number): (cycleDay: number) => string {
  const t = useTranslations('interest.curves')
  const locale = useLocale()
  const zero = dayZero(cohort, cycle)
  const day = dayAndMonth(zero, locale)
  return (cycleDay) => {
    const distance =
      cycleDay < 0 ? t('distanceBefore', { days: -cycleDay, day }) : t('distance', { days: cycleDay, day })
    return t('point', { day: dayAndMonth(zero + cycleDay, locale), distance })
  }
}

function useFigures(curves: CycleCurves, unit: Unit, cycle: InterestPage['cycle'], cohort: number): Figures {
  const t = useTranslations('interest.curves')
  const locale = useLocale()
  const zero = dayZero(cohort, cycle)
  return {
    columns: [t('date'), t('cycleDay'), ...curves.cohorts.map(({ year }) => String(year))],
    rows: Array.from({ length: curves.lastDay - curves.firstDay + 1 }, (_, index) => [
      dayAndMonth(zero + curves.firstDay + index, locale),
      curves.firstDay + index,
      ...curves.cohorts.map((curve) => curve[unit][index] ?? null),
    ]),
  }
}
