import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import type { AdmissionCycle } from '@/lib/contract/admission-cycle'
import type { Count } from '@/lib/contract/interest'
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
export function CurvesChart({ page, unit, source }: CurvesChartProps) {
  const { curves, cohort, cycle, isRounded } = page
  const t = useTranslations('interest')
  const locale = useLocale()
  const { write, say } = useCountWords()
  const [box, width] = useChartWidth()
  const { days, today } = curves
  const [chosen, setChosen] = useState<number | null>(null)
  const at = chosen ?? Math.min(days.length - 1, days.filter((day) => day < today).length)
  const valueOf = (curve: (typeof curves.cohorts)[number], spell: (count: Count) => string) => {
    const count = curve[unit][at]
    return count === undefined ? t('curves.none') : spell(count)
  }
  const figures = useFigures(page, unit)
  const point = usePointName(page)(days[at] ?? 0)
  return (
    <ChartCard
      title={t(`curves.title.${unit}`)}
      note={t('curves.note', { day: dayAndMonth(cycleDate(cohort, cycle.applicationCloses), locale) })}
      file={{ ...source, name: `${t('curves.fileName')}-${cohort}` }}
      figures={figures}
      table={{ ...figures, rows: figures.rows.filter((_, index) => (days[index] ?? 0) % 7 === 0 || index === at) }}
      className="h-full"
    >
      <ReadOut
        values={curves.cohorts.map((curve, index) => ({
          name: String(curve.year),
          swatch: <CurveSwatch index={index} />,
          value: valueOf(curve, write),
        }))}
        point={point}
      />
      <ChartReader
        boxRef={box}
        title={t(`curves.title.${unit}`)}
        summary={t(isRounded ? 'curves.summaryOfWeeks' : 'curves.summary', {
          years: curves.cohorts.map(({ year }) => year).join(', '),
        })}
        count={days.length}
        at={at}
        onMove={setChosen}
        valueText={`${point}: ${curves.cohorts.map((curve) => `${curve.year} ${valueOf(curve, say)}`).join(', ')}`}
        pointUnder={(x) => dayUnder(x, width, days.length)}
      >
        <CurvesPlot page={page} unit={unit} width={width} at={at} />
      </ChartReader>
      <CycleKey cycle={cycle} cohort={cohort} withLetters={width < 600} />
    </ChartCard>
  )
}

type CurvesPage = Pick<InterestPage, 'curves' | 'cohort' | 'cycle' | 'isRounded'>

/** `19 nov`, or the week that ends then: `13 nov–19 nov`. */
function useDayName({ cohort, cycle, isRounded }: CurvesPage): (cycleDay: number) => string {
  const t = useTranslations('interest.curves')
  const locale = useLocale()
  const nameOf = (cycleDay: number) => dayAndMonth(dayZero(cohort, cycle) + cycleDay, locale)
  return (day) => (isRounded ? t('span', { from: nameOf(day - 6), to: nameOf(day) }) : nameOf(day))
}

/** `19 nov, 88 dagar före 15 feb`. */
function usePointName(page: CurvesPage): (cycleDay: number) => string {
  const t = useTranslations('interest.curves')
  const nameOf = useDayName(page)
  const day = useDayName({ ...page, isRounded: false })(0)
  return (cycleDay) => {
    const distance =
      cycleDay < 0 ? t('distanceBefore', { days: -cycleDay, day }) : t('distance', { days: cycleDay, day })
    return t('point', { day: nameOf(cycleDay), distance })
  }
}

function useFigures(page: CurvesPage, unit: Unit): Figures {
  const t = useTranslations('interest.curves')
  const nameOf = useDayName(page)
  const { days, cohorts } = page.curves
  return {
    columns: [t('date'), t('cycleDay'), ...cohorts.map(({ year }) => String(year))],
    rows: days.map((day, index) => [nameOf(day), day, ...cohorts.map((curve) => curve[unit][index] ?? null)]),
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
