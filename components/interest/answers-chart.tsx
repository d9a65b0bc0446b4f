import { Hourglass } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { AnswerFigures } from '@/lib/contract/interest'
import { truncate } from '@/lib/cut-text'
import { sizeOf } from '@/lib/interest/axis'
import type { InterestPage } from '@/lib/interest/interest-page'
import { ChartCard, type ChartSource, NothingToDraw } from './chart-card'
import { ChartReader, HALF_SHEET, Drawing } from './plot-frame'
import { NO_VALUE, useAnswerCells, useCountFormat, useDuration, useShare } from './figure-words'

const MAX_SCHOOLS = 6

export function AnswersChart({ page: { answers, isRounded }, source }: { page: InterestPage; source: ChartSource }) {
  const t = useTranslations('interest.answers')
  const { forFile, forPeople } = useAnswerCells(isRounded)
  const all: AnsweredRow[] = [
    ...(answers.bySchool.length > 1 ? [{ ...answers, id: 'all schools', name: t('all') }] : []),
    ...answers.bySchool.map(({ school, ...figures }) => ({ ...figures, ...school })),
  ]
  const rows = withMostAnswers(all)
  const tableOf = (columns: string[], cells: typeof forFile) => ({
    columns: [t('school'), t('count'), ...columns],
    rows: all.map((row) => [row.name, row.count, ...cells(row)]),
  })
  return (
    <ChartCard
      title={t('title')}
      note={t(answers.isOfCycle ? 'noteOfCycle' : 'note')}
      file={{ ...source, name: t('fileName'), subtitle: `${source.subtitle} · ${t('key')}` }}
      figures={rows.length === 0 ? null : tableOf([t('withinPercent'), t('medianMinutes'), t('p90Minutes')], forFile)}
      table={tableOf([t('within'), t('median'), t('p90')], forPeople)}
      className={rows.length > 0 ? 'flex-1' : undefined}
    >
      {rows.length === 0 ? (
        <NothingToDraw icon={<Hourglass aria-hidden />}>{t('empty')}</NothingToDraw>
      ) : (
        <Rows rows={rows} isRounded={isRounded} />
      )}
      {rows.length < all.length && <p className="mt-2 text-xs text-mute">{t('most', { count: MAX_SCHOOLS })}</p>}
    </ChartCard>
  )
}

type AnsweredRow = AnswerFigures & { id: string; name: string }

function withMostAnswers([first, ...others]: readonly AnsweredRow[]): AnsweredRow[] {
  if (first === undefined) return []
  return [first, ...others.toSorted((a, b) => sizeOf(b.count) - sizeOf(a.count)).slice(0, MAX_SCHOOLS)]
}

function Rows({ rows, isRounded }: { rows: readonly AnsweredRow[]; isRounded: boolean }) {
  const t = useTranslations('interest.answers')
  const time = useDuration(isRounded)
  const share = useShare()
  const { say } = useCountFormat()
  const [chosen, setChosen] = useState(0)
  const at = Math.min(chosen, rows.length - 1)
  const { name = '', count = 0, withinGoal = null, medianMinutes = null, p90Minutes = null } = rows[at] ?? {}
  const valueText = [
    medianMinutes === null && count !== 0
      ? t('valueTooFew', { school: name })
      : t('valueText', { school: name, median: time(medianMinutes), p90: time(p90Minutes) }),
    ...(withinGoal === null ? [] : [t('valueWithin', { share: share(withinGoal) })]),
    t('valueCount', { count: say(count) }),
  ].join(', ')
  return (
    <>
      <p aria-hidden="true" className="tabular mb-1 min-h-8.5 text-xs text-mute">
        {valueText}
      </p>
      <ChartReader
        onPaper={HALF_SHEET}
        title={t('title')}
        summary={t('summary')}
        count={rows.length}
        at={at}
        onMove={setChosen}
        valueText={valueText}
        // The axis takes the place of one more row.
        pointUnder={(_, y) => Math.floor(y * (rows.length + 1))}
      >
        {({ width }) => <AnswersPlot rows={rows} isRounded={isRounded} width={width} at={at} />}
      </ChartReader>
    </>
  )
}

const ROW = 26
const NAME_CHARACTERS = 30
const CHARACTER = 6.4
const SHARE = 52

type AnswersPlotProps = { rows: readonly AnsweredRow[]; isRounded: boolean; width: number; at: number }

function AnswersPlot({ rows, isRounded, width, at }: AnswersPlotProps) {
  const duration = useDuration(isRounded)
  const share = useShare()
  const longest = rows.reduce((max, { p90Minutes }) => Math.max(max, p90Minutes ?? 0), 0)
  const letters = Math.min(NAME_CHARACTERS, Math.floor((width * 0.38) / CHARACTER))
  const left = letters * CHARACTER + 8
  const right = width - (rows.some(({ withinGoal }) => withinGoal !== null) ? SHARE : 10)
  const floor = rows.length * ROW
  return (
    <Drawing width={width} height={floor + ROW} className="text-xs">
      <rect y={at * ROW} width={width} height={ROW} rx="4" className="fill-hover print:hidden" />
      {rows.map((row, index) => (
        <g key={row.id} transform={`translate(0 ${(index + 0.5) * ROW})`}>
          <text x="4" y="4" className="fill-ink">
            {truncate(row.name, letters)}
          </text>
          <line x1={left} x2={right} className="stroke-line-soft" />
          {row.withinGoal !== null && (
            <text x={width - 4} y="4" textAnchor="end" className="tabular fill-ink">
              {share(row.withinGoal)}
            </text>
          )}
          <Span row={row} x={(minutes) => left + (minutes / Math.max(1, longest)) * (right - left)} />
        </g>
      ))}
      {longest > 0 && (
        <>
          <text x={left} y={floor + 17} className="fill-faint text-2xs">
            0
          </text>
          <text x={right} y={floor + 17} textAnchor="end" className="fill-faint text-2xs">
            {duration(longest)}
          </text>
        </>
      )}
    </Drawing>
  )
}

function Span({ row: { medianMinutes, p90Minutes }, x }: { row: AnsweredRow; x: (minutes: number) => number }) {
  if (medianMinutes === null || p90Minutes === null)
    return (
      <text x={x(0)} y="4" className="fill-mute">
        {NO_VALUE}
      </text>
    )
  const [median, p90] = [x(medianMinutes), x(p90Minutes)]
  return (
    <>
      <line x1={median} x2={p90} className="stroke-accent" strokeWidth="3" />
      <line x1={p90} x2={p90} y1="-6" y2="6" className="stroke-accent" strokeWidth="2" />
      <circle cx={median} r="5" className="fill-accent stroke-panel" strokeWidth="1.5" />
    </>
  )
}
