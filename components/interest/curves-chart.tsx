import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import type { AdmissionCycle } from '@/lib/contract/settings'
import type { Count } from '@/lib/contract/interest'
import { cycleDate, dayZero } from '@/lib/interest/cohort'
import type { Unit } from '@/lib/interest/interest-counts'
import type { InterestPage } from '@/lib/interest/interest-page'
import { dayAndMonth } from '@/lib/time/format-date'
import { ChartCard, type ChartSource } from './chart-card'
import { ChartReader, ReadOut } from './plot-frame'
import { CurvesPlot, CurveSwatch, dayUnder } from './curves-plot'
import { useCountWords } from './figure-words'

type CurvesChartProps = { page: InterestPage; unit: Unit; source: ChartSource }

export function CurvesChart({ page, unit, source }: CurvesChartProps) {
  const { cohort, cycle, isRounded } = page
  const { days, today, cohorts } = page.curves
  const t = useTranslations('interest.curves')
  const locale = useLocale()
  const { write, say } = useCountWords()
  const [chosen, setChosen] = useState<number | null>(null)
  const at = chosen ?? Math.min(days.length - 1, days.filter((day) => day < today).length)
  const { dayName, pointName } = useDayNames(page)
  const valueOf = (curve: (typeof cohorts)[number], spell: (count: Count) => string) => {
    const count = curve[unit][at]
    return count === undefined ? t('none') : spell(count)
  }
  const figures = {
    columns: [t('date'), t('cycleDay'), ...cohorts.map(({ year }) => String(year))],
    rows: days.map((day, index) => [dayName(day), day, ...cohorts.map((curve) => curve[unit][index] ?? null)]),
  }
  const point = pointName(days[at] ?? 0)
  return (
    <ChartCard
      title={t(`title.${unit}`)}
      note={t('note', { day: dayAndMonth(dayZero(cohort, cycle), locale) })}
      file={{ ...source, name: `${t('fileName')}-${cohort}` }}
      figures={figures}
      table={{ ...figures, rows: rowsShown(figures.rows, days, at) }}
      className="h-full"
    >
      <ReadOut
        values={cohorts.map((curve, index) => ({
          name: String(curve.year),
          swatch: <CurveSwatch index={index} />,
          value: valueOf(curve, write),
        }))}
        point={point}
      />
      <ChartReader
        title={t(`title.${unit}`)}
        summary={t(isRounded ? 'summaryOfWeeks' : 'summary', { years: cohorts.map(({ year }) => year).join(', ') })}
        count={days.length}
        at={at}
        onMove={setChosen}
        valueText={`${point}: ${cohorts.map((curve) => `${curve.year} ${valueOf(curve, say)}`).join(', ')}`}
        pointUnder={(x, _, width) => dayUnder(x, width, days.length)}
        below={({ width }) => <CycleKey cycle={cycle} cohort={cohort} withLetters={width < 600} />}
      >
        {({ width }) => <CurvesPlot page={page} unit={unit} width={width} at={at} />}
      </ChartReader>
    </ChartCard>
  )
}

/** Of whole weeks from the day zero, of the last day, and of the one that is read out. */
function rowsShown<Row>(rows: readonly Row[], days: readonly number[], at: number): Row[] {
  return rows.filter((_, place) => (days[place] ?? 0) % 7 === 0 || place === at || place === days.length - 1)
}

/** `19 nov`, or the week that ends then, `13 nov–19 nov`; and `19 nov, 88 dagar före 15 feb`. */
function useDayNames({ cohort, cycle, isRounded }: InterestPage) {
  const t = useTranslations('interest.curves')
  const locale = useLocale()
  const nameOf = (cycleDay: number) => dayAndMonth(dayZero(cohort, cycle) + cycleDay, locale)
  const dayName = (day: number) => (isRounded ? t('span', { from: nameOf(day - 6), to: nameOf(day) }) : nameOf(day))
  const pointName = (cycleDay: number) => {
    const words = { days: Math.abs(cycleDay), day: nameOf(0) }
    const distance = t(cycleDay < 0 ? 'distanceBefore' : 'distance', words)
    return t('point', { day: dayName(cycleDay), distance })
  }
  return { dayName, pointName }
}

type CycleKeyProps = { cycle: AdmissionCycle; cohort: number; withLetters: boolean }

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
