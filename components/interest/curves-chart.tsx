import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import type { AdmissionCycle } from '@/lib/contract/admission-cycle'
import type { Figures } from '@/lib/export/csv'
import { cycleDate, dayZero } from '@/lib/interest/cohort'
import type { Unit } from '@/lib/interest/interest-counts'
import type { InterestPage } from '@/lib/interest/interest-page'
import { dayAndMonth } from '@/lib/time/format-date'
import { ChartCard, type ChartSource } from './chart-card'
import { CurvesPlot, CurveSwatch, dayUnder } from './curves-plot'
import { useCountWords } from './figure-words'
import { ChartReader, ReadOut, useChartWidth } from './plot-frame'

type CurvesChartProps = { page: InterestPage; unit: Unit; source: ChartSource }

/** Cohorts beside each other, day by day of the admission year. */
export function CurvesChart({ page: { curves, cohort, cycle, isWithheld }, unit, source }: CurvesChartProps) {
  const t = useTranslations('interest')
  const locale = useLocale()
  const { write } = useCountWords(isWithheld)
  const [box, width] = useChartWidth()
  const count = curves.lastDay - curves.firstDay + 1
  const [chosen, setChosen] = useState<number | null>(null)
  const at = chosen ?? Math.min(count - 1, Math.max(0, curves.today - curves.firstDay))
  const pointName = usePointName(cycle, cohort)
  const values = curves.cohorts.map((curve) => ({ year: curve.year, value: curve[unit][at] }))
  const words = (value: number | undefined) => (value === undefined ? t('curves.none') : write(value))
  const figures = useFigures({ curves, cohort, cycle, isWithheld }, unit)
  const point = pointName(curves.firstDay + at)
  return (
    <ChartCard
      title={t(`curves.title.${unit}`)}
      note={t('curves.note', { day: dayAndMonth(cycleDate(cohort, cycle.applicationCloses), locale) })}
      file={{ ...source, name: `${t('curves.fileName')}-${cohort}` }}
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
        title={t(`curves.title.${unit}`)}
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

type CurvesPage = Pick<InterestPage, 'curves' | 'cohort' | 'cycle' | 'isWithheld'>

function useFigures({ curves, cohort, cycle, isWithheld }: CurvesPage, unit: Unit): Figures {
  const t = useTranslations('interest.curves')
  const { figure } = useCountWords(isWithheld)
  const locale = useLocale()
  const zero = dayZero(cohort, cycle)
  return {
    columns: [t('date'), t('cycleDay'), ...curves.cohorts.map(({ year }) => String(year))],
    rows: Array.from({ length: curves.lastDay - curves.firstDay + 1 }, (_, index) => [
      dayAndMonth(zero + curves.firstDay + index, locale),
      curves.firstDay + index,
      ...curves.cohorts.map((curve) => {
        const value = curve[unit][index]
        return value === undefined ? null : figure(value)
      }),
    ]),
  }
}

type CycleKeyProps = { cycle: AdmissionCycle; cohort: number; withLetters: boolean }

/** The dates of the chosen cohort's admission, in words. */
function CycleKey({ cycle, cohort, withLetters }: CycleKeyProps) {
  const t = useTranslations('interest.curves')
  const locale = useLocale()
  const day = (date: string) => dayAndMonth(cycleDate(cohort, date), locale)
  const span = (from: string, to: string) => t('span', { from: day(from), to: day(to) })
  const steps = [
    { letter: 'A', name: t('step.application'), when: span(cycle.applicationOpens, cycle.applicationCloses) },
    { letter: null, name: t('step.preliminary'), when: day(cycle.preliminary) },
    { letter: 'B', name: t('step.changes'), when: span(cycle.preliminary, cycle.changePeriodEnds) },
    { letter: 'C', name: t('step.final'), when: day(cycle.final) },
    { letter: null, name: t('step.reserves'), when: day(cycle.reservesEnd) },
  ]
  return (
    <ul aria-label={t('calendar')} className="mt-2 flex flex-wrap gap-x-4 gap-y-0.5 text-2xs text-mute">
      {steps.map(({ letter, name, when }) => (
        <li key={name} suppressHydrationWarning>
          {withLetters && letter !== null && <b className="mr-1 font-semibold text-ink">{letter}</b>}
          {name} <span className="tabular text-faint">{when}</span>
        </li>
      ))}
    </ul>
  )
}
