import { useLocale, useTranslations } from 'next-intl'
import { useId, useState } from 'react'
import { sizeOf, ticksTo } from '@/lib/interest/axis'
import type { InterestPage } from '@/lib/interest/interest-page'
import { dayAndMonth } from '@/lib/time/format-date'
import { mondayOfWeek } from '@/lib/time/weeks'
import { ChartCard, type ChartSource } from './chart-card'
import { useFigureWords } from './figure-words'
import { ChartReader, Drawing, heightScale, ReadOut, type Sheet, ValueAxis } from './plot-frame'

type WeekCount = InterestPage['weeks'][number]

/** Its last week is under way. */
export function WeeksChart({ page: { weeks, isRounded }, source }: { page: InterestPage; source: ChartSource }) {
  const t = useTranslations('interest.weeks')
  const { write, say } = useFigureWords()
  const { daysOf, nameOf } = useWeekWords()
  const [chosen, setChosen] = useState<number | null>(null)
  const at = Math.min(chosen ?? weeks.length - 1, weeks.length - 1)
  const week = weeks[at]
  if (week === undefined) return null
  const figures = {
    columns: [t('week'), t('days'), t('declarations'), t('questions')],
    rows: weeks.map((one) => [one.week, daysOf(one), one.declarations, one.questions]),
  }
  const isNow = at === weeks.length - 1
  const point = isNow ? `${nameOf(week)}, ${t('underWay')}` : nameOf(week)
  const spoken = { point, declarations: say(week.declarations), questions: say(week.questions) }
  return (
    <ChartCard
      title={t('title')}
      note={t('note')}
      file={{ ...source, name: t('fileName'), subtitle: `${source.subtitle} · ${t('key')}` }}
      figures={figures}
      table={figures}
      className="last:odd:col-span-full print:hidden"
    >
      <ReadOut
        values={[
          { name: t('declarations'), value: write(week.declarations), swatch: <BarSwatch isHatched={false} /> },
          { name: t('questions'), value: write(week.questions), swatch: <BarSwatch isHatched /> },
        ]}
        point={chosen === null ? null : point}
      />
      <ChartReader
        title={t('title')}
        summary={t('summary', { count: weeks.length })}
        count={weeks.length}
        at={at}
        onMove={setChosen}
        valueText={t('valueText', spoken)}
        pointUnder={(x, _, width) => Math.floor(((x * width - LEFT) / (width - LEFT)) * weeks.length)}
      >
        {(sheet) => <WeekPlot weeks={weeks} isRounded={isRounded} at={chosen === null ? null : at} {...sheet} />}
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

const LEFT = 44
const TOP = 8
const BOTTOM = 34
const HEIGHT = 300
const MAX_BAR = 36

type WeekPlotProps = Pick<InterestPage, 'weeks' | 'isRounded'> & Sheet & { at: number | null }

function WeekPlot({ weeks, isRounded, width, at }: WeekPlotProps) {
  const hatch = useId()
  const floor = HEIGHT - BOTTOM
  const sizes = weeks.map(({ declarations, questions }) => [sizeOf(declarations), sizeOf(questions)])
  const ticks = ticksTo(Math.max(...sizes.flat()), 3, isRounded ? 5 : 1)
  const y = heightScale(ticks, TOP, floor)
  const slot = (width - LEFT) / weeks.length
  const bar = Math.min(MAX_BAR, slot * 0.4)
  const column = (x: number, value: number) => ({ x, y: y(value), width: bar, height: floor - y(value) })
  return (
    <Drawing width={width} height={HEIGHT}>
      <Hatch id={hatch} />
      <ValueAxis ticks={ticks} y={y} left={LEFT} right={width} />
      {at !== null && (
        <rect x={LEFT + at * slot} y={TOP} width={slot} height={floor - TOP} className="fill-hover print:hidden" />
      )}
      {weeks.map(({ week }, index) => {
        const x = LEFT + (index + 0.5) * slot - bar * 1.05
        const [full = 0, hatched = 0] = sizes[index] ?? []
        const isNow = index === weeks.length - 1
        const outline = { fillOpacity: isNow ? 0 : 1, strokeDasharray: isNow ? '2 1.5' : undefined }
        const look = { ...outline, strokeWidth: Math.min(1, bar / 4) }
        return (
          <g key={week}>
            <rect {...column(x, full)} {...look} className="fill-accent stroke-accent" />
            <rect
              {...column(x + bar * 1.1, hatched)}
              {...look}
              fill={`url(#${hatch})`}
              className="stroke-status-progress"
            />
          </g>
        )
      })}
      <line x1={LEFT} x2={width} y1={floor} y2={floor} className="stroke-line" />
      <WeekLabels weeks={weeks} slot={slot} floor={floor} />
    </Drawing>
  )
}

const LABEL_WIDTH = 46

function WeekLabels({ weeks, slot, floor }: { weeks: readonly WeekCount[]; slot: number; floor: number }) {
  const t = useTranslations('interest.weeks')
  const every = Math.max(1, Math.ceil(LABEL_WIDTH / slot))
  return weeks.map(({ week }, index) => {
    if ((weeks.length - 1 - index) % every !== 0) return null
    const isLast = index === weeks.length - 1
    if (!isLast && index * slot < LABEL_WIDTH / 2 - LEFT) return null
    const [year, number] = week.split('-W')
    const place = { x: LEFT + (index + (isLast ? 1 : 0.5)) * slot, textAnchor: isLast ? 'end' : 'middle' } as const
    return (
      <g key={week} className="tabular fill-faint">
        <text {...place} y={floor + 14}>
          {t('tick', { week: String(Number(number)) })}
        </text>
        <text {...place} y={floor + 27}>
          {year}
        </text>
      </g>
    )
  })
}

function Hatch({ id }: { id: string }) {
  return (
    <pattern id={id} width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect width="4" height="4" className="fill-panel" />
      <rect width="2.2" height="4" className="fill-status-progress" />
    </pattern>
  )
}

function BarSwatch({ isHatched }: { isHatched: boolean }) {
  const hatch = useId()
  const hatched = { x: 0.5, y: 0.5, width: 11, height: 11, fill: `url(#${hatch})`, className: 'stroke-status-progress' }
  return (
    <svg viewBox="0 0 12 12" aria-hidden="true" className="size-3 shrink-0">
      <Hatch id={hatch} />
      <rect rx="2" {...(isHatched ? hatched : { width: 12, height: 12, className: 'fill-accent' })} />
    </svg>
  )
}
