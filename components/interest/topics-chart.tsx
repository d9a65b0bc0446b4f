import { useFormatter, useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import type { TopicFigures } from '@/lib/contract/topics'
import { truncate } from '@/lib/cut-text'
import { sizeOf } from '@/lib/interest/axis'
import type { Board } from '@/lib/interest/board'
import { dayAndMonth } from '@/lib/time/format-date'
import { epochDay } from '@/lib/time/stockholm'
import { isoWeek } from '@/lib/time/weeks'
import { isBeyondChance } from '@/lib/topics/count-topics'
import { NO_TOPIC } from '@/lib/topics/topic-list'
import { ChartCard, type ChartSource } from './chart-card'
import { NO_VALUE, useCountFormat } from './figure-words'
import { ChartReader, Drawing, type Sheet } from './plot-frame'

type TopicsChartProps = { topics: TopicFigures; board: Board; source: ChartSource }

/** What questions are about, most asked first: how many, week by week, beside last year, and which school is asked most. */
export function TopicsChart({ topics: figures, board, source }: TopicsChartProps) {
  const t = useTranslations('interest.topics')
  const locale = useLocale()
  const { rows, nameOf } = useTopicRows(figures, board)
  const day = (text: string | null) => (text === null ? '' : dayAndMonth(epochDay(text), locale))
  const asked = [...new Set(rows.flatMap(({ bySchool }) => bySchool.map(({ highSchoolId }) => highSchoolId)))]
  const files = {
    columns: [t('topic'), t('questions'), t('lastYear'), t('changePercent'), ...asked.map(nameOf), ...figures.weeks],
    rows: rows.map(({ name, questions, lastYear, change, bySchool, weeks }) => [
      name,
      questions,
      lastYear,
      change === null ? null : Math.round(change * 100),
      ...asked.map((id) => bySchool.find(({ highSchoolId }) => highSchoolId === id)?.questions ?? 0),
      ...weeks,
    ]),
  }
  const table = {
    columns: [t('topic'), t('questions'), t('lastYear'), t('change'), t('most')],
    rows: rows.map((row) => [row.name, row.questions, row.lastYear, row.changeText, row.school]),
  }
  return (
    <ChartCard
      title={t('title')}
      note={t('note', { from: day(figures.from), to: day(figures.to) })}
      file={{ ...source, name: t('fileName') }}
      figures={rows.length === 0 ? null : files}
      table={table}
    >
      {rows.length === 0 ? (
        <p className="py-6 text-sm text-mute">{t('empty')}</p>
      ) : (
        <TopicRows
          rows={rows}
          names={figures.weeks}
          isUnfinished={figures.weeks.at(-1) === isoWeek(epochDay(source.asOf))}
        />
      )}
      <NewWords words={figures.newWords} />
    </ChartCard>
  )
}

function NewWords({ words }: { words: TopicFigures['newWords'] }) {
  const t = useTranslations('interest.topics')
  const format = useFormatter()
  if (words.length === 0) return null
  const written = words.map(({ word, people }) => t('newWord', { word, count: people }))
  return (
    <p className="mt-2 text-xs text-mute print:hidden">
      {t('newWords', { words: format.list(written, { type: 'unit' }) })}
    </p>
  )
}

type Topic = TopicFigures['topics'][number]
type Row = Omit<Topic, 'name'> & { name: string; changeText: string; school: string }

function useTopicRows({ topics }: TopicFigures, { schools }: Board) {
  const t = useTranslations('interest.topics')
  const locale = useLocale()
  const format = useFormatter()
  const nameOf = (id: string) => schools.find(({ school }) => school.id === id)?.school.name ?? id
  const percent = (share: number, signDisplay: 'never' | 'exceptZero') =>
    format.number(share, { style: 'percent', maximumFractionDigits: 0, signDisplay })
  const changeOf = ({ questions, lastYear, change }: Topic) => {
    if (change === null) return NO_VALUE
    if (!isBeyondChance(sizeOf(questions), sizeOf(lastYear))) return `≈ ${percent(change, 'exceptZero')}`
    return `${change > 0 ? '▲' : '▼'} ${percent(change, 'never')}`
  }
  const rows = topics.map((topic): Row => {
    const [most] = topic.bySchool
    const school = most === undefined || most.questions === '<5' ? '' : nameOf(most.highSchoolId)
    return { ...topic, name: topic.name?.[locale] ?? t('other'), changeText: changeOf(topic), school }
  })
  const isLast = ({ id }: Row) => Number(id === NO_TOPIC)
  return {
    nameOf,
    rows: rows
      .filter(({ questions, lastYear }) => questions !== 0 || lastYear !== 0)
      .toSorted((a, b) => isLast(a) - isLast(b) || sizeOf(b.questions) - sizeOf(a.questions)),
  }
}

type RowsProps = { rows: readonly Row[]; names: readonly string[]; isUnfinished: boolean }

function TopicRows({ rows, ...weeks }: RowsProps) {
  const t = useTranslations('interest.topics')
  const { say } = useCountFormat()
  const [chosen, setChosen] = useState(0)
  const at = Math.min(chosen, rows.length - 1)
  const { name = '', questions = 0, lastYear = 0, changeText = '', school = '' } = rows[at] ?? {}
  const spoken = [
    t('valueText', { topic: name, count: say(questions), before: say(lastYear), change: changeText }),
    ...(school === '' ? [] : [t('valueSchool', { school })]),
  ].join(', ')
  return (
    <ChartReader
      title={t('title')}
      summary={t('summary')}
      count={rows.length}
      at={at}
      onMove={setChosen}
      valueText={spoken}
      pointUnder={(_, y) => Math.floor(y * (rows.length + 1)) - 1}
    >
      {(sheet) => (
        <TopicsPlot rows={sheet.isPaper ? rows.slice(0, MAX_ON_PAPER) : rows} {...weeks} at={at} {...sheet} />
      )}
    </ChartReader>
  )
}

const [CHARACTER, GAP, CHANGE, COUNT, BAR] = [6.6, 12, 66, 46, 16]
/** What a sheet has room for below the curve. */
const MAX_ON_PAPER = 11
/** Narrower, the school stands below its topic. */
const WIDE = 520

function TopicsPlot({ rows, names, isUnfinished, at, width, isPaper }: RowsProps & Sheet & { at: number }) {
  const t = useTranslations('interest.topics')
  const { write } = useCountFormat()
  const isWide = width >= WIDE
  const row = isWide ? (isPaper ? 20 : 26) : 38
  const letters = Math.floor((width * (isWide ? 0.24 : 0.36)) / CHARACTER)
  const count = letters * CHARACTER + COUNT
  const top = isWide ? 4 : -3
  const school = isWide ? { x: width * 0.72, y: top } : { x: 4, y: 12 }
  const change = (isWide ? school.x : width) - GAP
  const bars = { names, isUnfinished, x: count + GAP, width: Math.max(20, change - CHANGE - count - 2 * GAP) }
  const line = (text: string, x: number, anchor: 'start' | 'end' = 'start', y = top) => (
    <text x={x} y={y} textAnchor={anchor}>
      {text}
    </text>
  )
  return (
    <Drawing width={width} height={(rows.length + 1) * row} className="text-xs">
      <g transform={`translate(0 ${row / 2})`} className="fill-faint text-2xs">
        {line(t('questions'), count, 'end')}
        {isWide && line(t('weeks'), bars.x)}
        {line(t('change'), change, 'end')}
        {line(t('most'), school.x, 'start', school.y)}
      </g>
      <rect y={(at + 1) * row} width={width} height={row} rx="4" className="fill-hover print:hidden" />
      {rows.map((topic, index) => (
        <g key={topic.id} transform={`translate(0 ${(index + 1.5) * row})`} className="tabular fill-ink">
          {line(truncate(topic.name, letters), 4)}
          {line(write(topic.questions), count, 'end')}
          <WeekBars {...bars} weeks={topic.weeks} />
          {line(topic.changeText, change, 'end')}
          <g className={isWide ? '' : 'fill-mute text-2xs'}>
            {line(truncate(topic.school, Math.floor((width - school.x) / CHARACTER)), school.x, 'start', school.y)}
          </g>
        </g>
      ))}
    </Drawing>
  )
}

type WeekBarsProps = Omit<RowsProps, 'rows'> & { weeks: Topic['weeks']; x: number; width: number }

/** Each topic by its own scale: the line says when it was asked, the number how much. The unfinished week is an outline. */
function WeekBars({ names, weeks, isUnfinished, x, width }: WeekBarsProps) {
  const most = Math.max(5, ...weeks.map(sizeOf))
  const slot = Math.min(22, width / Math.max(1, weeks.length))
  return weeks.map((week, index) => {
    const tall = (sizeOf(week) / most) * BAR
    const outline = isUnfinished && index === weeks.length - 1 ? 0.5 : 0
    return (
      <rect
        key={names[index]}
        x={x + index * slot + outline}
        y={BAR / 2 - tall}
        width={Math.max(0.5, slot - 1 - 2 * outline)}
        height={tall}
        className={outline > 0 ? 'fill-panel stroke-accent' : 'fill-accent'}
      />
    )
  })
}
