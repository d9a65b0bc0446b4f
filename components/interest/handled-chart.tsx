import { Hourglass } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { Cell } from '@/lib/interest/figures-csv'
import type { InterestPage } from '@/lib/interest/interest-page'
import type { HandlingTimes } from '@/lib/interest/time-to-handled'
import { ChartCard, type ChartSource, NothingToDraw } from './chart-card'
import { useCountWords, useDuration } from './figure-words'
import { ChartReader, Drawing, HALF_SHEET, useChartWidth } from './plot-frame'

const MOST_SCHOOLS = 6

type HandledChartProps = { page: InterestPage; source: ChartSource }

/** How long leads waited until they were handled, by school. */
export function HandledChart({ page: { handled, isWithheld }, source }: HandledChartProps) {
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
      file={{ ...source, name: t('fileName'), subtitle: `${source.subtitle} · ${t('key')}` }}
      figures={rows.length === 0 ? null : tableOf([t('medianMinutes'), t('p90Minutes')], minutesOf)}
      table={tableOf([t('median'), t('p90')], time)}
      {...(rows.length > 0 && { className: 'flex-1' })}
    >
      {rows.length === 0 ? (
        <NothingToDraw icon={<Hourglass aria-hidden />}>{t('empty')}</NothingToDraw>
      ) : (
        <Rows rows={rows} writeCount={words.write} />
      )}
      {rows.length < all.length && <p className="mt-2 text-xs text-mute">{t('most', { count: MOST_SCHOOLS })}</p>}
    </ChartCard>
  )
}

function Rows({ rows, writeCount }: { rows: readonly WaitingRow[]; writeCount: (count: number) => string }) {
  const t = useTranslations('interest.handled')
  const time = useTime()
  const [box, width] = useChartWidth(HALF_SHEET)
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

type WaitingRow = HandlingTimes & { id: string; name: string }

const ROW = 26
const NAME_CHARACTERS = 30
const CHARACTER = 6.4

type HandledPlotProps = { rows: readonly WaitingRow[]; width: number; at: number }

/** A row for each school: a dot at the median, and a line on to the ninetieth percentile. */
function HandledPlot({ rows, width, at }: HandledPlotProps) {
  const duration = useDuration()
  const longest = Math.max(1, ...rows.map(({ p90Minutes }) => p90Minutes ?? 0))
  const letters = Math.min(NAME_CHARACTERS, Math.floor((width * 0.4) / CHARACTER))
  const left = letters * CHARACTER + 8
  const right = width - 10
  const floor = rows.length * ROW
  return (
    <Drawing width={width} height={floor + ROW} className="text-xs">
      <rect y={at * ROW} width={width} height={ROW} rx="4" className="fill-hover print:hidden" />
      {rows.map((row, index) => (
        <g key={row.id} transform={`translate(0 ${(index + 0.5) * ROW})`}>
          <text x="4" y="4" className="fill-ink">
            {row.name.length > letters ? `${row.name.slice(0, letters - 1)}…` : row.name}
          </text>
          <line x1={left} x2={right} className="stroke-line-soft" />
          <Span row={row} x={(minutes) => left + (minutes / longest) * (right - left)} />
        </g>
      ))}
      <text x={left} y={floor + 17} className="fill-faint text-2xs">
        0
      </text>
      <text x={right} y={floor + 17} textAnchor="end" className="fill-faint text-2xs">
        {duration(longest)}
      </text>
    </Drawing>
  )
}

function Span({ row: { medianMinutes, p90Minutes }, x }: { row: WaitingRow; x: (minutes: number) => number }) {
  if (medianMinutes === null || p90Minutes === null) return null
  const [median, p90] = [x(medianMinutes), x(p90Minutes)]
  return (
    <>
      <line x1={median} x2={p90} className="stroke-accent" strokeWidth="3" />
      <line x1={p90} x2={p90} y1="-6" y2="6" className="stroke-accent" strokeWidth="2" />
      <circle cx={median} r="5" className="fill-accent stroke-panel" strokeWidth="1.5" />
    </>
  )
}
