'use client'

import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { Cell } from '@/lib/interest/figures-csv'
import type { InterestPage } from '@/lib/interest/interest-page'
import type { ChartFile } from './chart-actions'
import { ChartCard } from './chart-card'
import { ChartReader } from './chart-reader'
import { HandledPlot, type WaitingRow } from './handled-plot'
import { useChartWidth } from './use-chart-width'
import { useCountWords } from './use-count-words'
import { useDuration } from './use-duration'

const MOST_SCHOOLS = 6

type HandledChartProps = { page: InterestPage; file: Omit<ChartFile, 'name'> }

/** How long leads waited until they were handled, by school. */
export function HandledChart({ page: { handled, isWithheld }, file }: HandledChartProps) {
  const t = useTranslations('interest.handled')
  const words = useCountWords(isWithheld)
  const time = useTime()
  const all = [
    ...(handled.bySchool.length > 1 ? [{ ...handled, id: 'all schools', name: t('all') }] : []),
    ...handled.bySchool.map(({ school, ...times }) => ({ ...times, id: school.id, name: school.name })),
  ]
  const rows = mostHandled(all)
  const tableOf = (columns: string[], cell: (minutes: number | null) => Cell) => ({
    columns: [t('school'), t('count'), ...columns],
    rows: all.map(({ name, count, medianMinutes, p90Minutes }) => [
      name,
      words.figure(count),
      cell(medianMinutes),
      cell(p90Minutes),
    ]),
  })
  const minutesOf = (minutes: number | null) => minutes && Math.round(minutes)
  return (
    <ChartCard
      title={t('title')}
      note={t('note')}
      file={{ ...file, name: t('fileName'), subtitle: `${file.subtitle} · ${t('key')}` }}
      figures={rows.length === 0 ? null : tableOf([t('medianMinutes'), t('p90Minutes')], minutesOf)}
      table={tableOf([t('median'), t('p90')], time)}
      className="flex-1"
    >
      {rows.length === 0 ? (
        <p className="text-sm text-mute">{t('empty')}</p>
      ) : (
        <Rows rows={rows} writeCount={words.cell} />
      )}
      {rows.length < all.length && <p className="mt-2 text-xs text-mute">{t('most', { count: MOST_SCHOOLS })}</p>}
    </ChartCard>
  )
}

function Rows({ rows, writeCount }: { rows: readonly WaitingRow[]; writeCount: (count: number) => string }) {
  const t = useTranslations('interest.handled')
  const time = useTime()
  const [box, width] = useChartWidth()
  const [chosen, setChosen] = useState(0)
  const at = Math.min(chosen, rows.length - 1)
  const { name = '', count = 0, medianMinutes = null, p90Minutes = null } = rows[at] ?? {}
  const valueText = t('valueText', {
    school: name,
    median: time(medianMinutes),
    p90: time(p90Minutes),
    count: writeCount(count),
  })
  return (
    <>
      <p aria-hidden="true" className="tabular mb-1 min-h-8.5 text-xs text-mute">
        {valueText}
      </p>
      <ChartReader
        boxRef={box}
        title={t('title')}
        summary={t('summary')}
        count={rows.length}
        at={at}
        onMove={setChosen}
        valueText={valueText}
        // The axis takes the place of one more row.
        pointUnder={(_, y) => Math.floor(y * (rows.length + 1))}
      >
        <HandledPlot rows={rows} width={width} at={at} />
      </ChartReader>
    </>
  )
}

function useTime(): (minutes: number | null) => string {
  const duration = useDuration()
  return (minutes) => (minutes === null ? '–' : duration(minutes))
}

/** All schools together stay first; with one school there is nothing else. */
function mostHandled([first, ...others]: readonly WaitingRow[]): WaitingRow[] {
  if (first === undefined) return []
  return [first, ...others.toSorted((a, b) => b.count - a.count).slice(0, MOST_SCHOOLS)]
}
