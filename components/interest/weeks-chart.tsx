'use client'

import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import { dayAndMonth } from '@/lib/interest/day-words'
import type { InterestPage } from '@/lib/interest/interest-page'
import { mondayOfWeek } from '@/lib/interest/iso-week'
import type { WeekCount } from '@/lib/interest/week-counts'
import type { ChartFile } from './chart-actions'
import { ChartCard } from './chart-card'
import { ChartReader } from './chart-reader'
import { ReadOut } from './read-out'
import { useChartWidth } from './use-chart-width'
import { useCountWords } from './use-count-words'
import { BarSwatch, WeeksPlot, weekUnder } from './weeks-plot'

type WeeksChartProps = { page: InterestPage; file: Omit<ChartFile, 'name'> }

/** What came week by week, of every enrollment year and none. */
export function WeeksChart({ page: { weeks, isWithheld }, file }: WeeksChartProps) {
  const t = useTranslations('interest.weeks')
  const words = useCountWords(isWithheld)
  const { daysOf, nameOf } = useWeekWords()
  const [box, width] = useChartWidth()
  const [chosen, setChosen] = useState<number | null>(null)
  const at = Math.min(chosen ?? Infinity, weeks.length - 1)
  const here = weeks[at]
  const figures = {
    columns: [t('week'), t('days'), t('declarations'), t('questions')],
    rows: weeks.map((week) => [week.week, daysOf(week), words.figure(week.declarations), words.figure(week.questions)]),
  }
  if (here === undefined) return null
  const point = nameOf(here)
  const counts = { declarations: words.cell(here.declarations), questions: words.cell(here.questions) }
  return (
    <ChartCard
      title={t('title')}
      note={t('note')}
      file={{ ...file, name: t('fileName'), subtitle: `${file.subtitle} · ${t('key')}` }}
      figures={figures}
      table={figures}
    >
      <ReadOut
        values={(['declarations', 'questions'] as const).map((what) => ({
          name: t(what),
          swatch: <BarSwatch what={what} />,
          value: counts[what],
        }))}
        point={point}
      />
      <ChartReader
        boxRef={box}
        title={t('title')}
        summary={t('summary', { count: weeks.length })}
        count={weeks.length}
        at={at}
        onMove={setChosen}
        valueText={t('valueText', { point, ...counts })}
        pointUnder={(x) => weekUnder(x, width, weeks.length)}
      >
        <WeeksPlot weeks={weeks} width={width} at={at} />
      </ChartReader>
    </ChartCard>
  )
}

/** `16 nov–22 nov`; `Vecka 47 2026, 16 nov–22 nov`. */
function useWeekWords() {
  const t = useTranslations('interest')
  const locale = useLocale()
  const spanOf = ({ week }: WeekCount) => {
    const monday = mondayOfWeek(week)
    return { from: dayAndMonth(monday, locale), to: dayAndMonth(monday + 6, locale) }
  }
  return {
    daysOf: (week: WeekCount) => t('curves.span', spanOf(week)),
    nameOf: (week: WeekCount) => {
      const [year = '', number = ''] = week.week.split('-W')
      return t('weeks.point', { week: String(Number(number)), year, ...spanOf(week) })
    },
  }
}
