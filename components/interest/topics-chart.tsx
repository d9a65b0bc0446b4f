import { useLocale, useTranslations } from 'next-intl'
import { cn } from '@/components/ui/cn'
import type { InterestPage } from '@/lib/interest/interest-page'
import { estimateCount } from '@/lib/interest/rounding'
import type { TopicFigure } from '@/lib/interest/topic-figures'
import { formatEpochDay } from '@/lib/time/format-date'
import { parseIsoDay } from '@/lib/time/stockholm'
import { formatIsoWeek } from '@/lib/time/weeks'
import { NO_TOPIC, TOPICS } from '@/lib/topics/topic-list'
import { ChangeText } from './board-cells'
import { ChartCard } from './chart-card'
import { useFigureFormat } from './figure-format'

/** Only the most asked schools have a column, because no more fit beside the curves. */
const MAX_SCHOOL_COLUMNS = 5
/** A sheet has room for fewer topics below a table of more schools than `MAX_FEW_SCHOOLS`. */
const MAX_FEW_SCHOOLS = 7
const TOPICS_ON_PAPER = { belowFewSchools: 11, belowMany: 7 }
/** The scales of tints and bars end at this count at least, so that few questions look few. */
const MIN_SCALE_END = 5
const MAX_TINT_PERCENT = 40
const BARS_WIDTH = 60
const BARS_HEIGHT = 18
const schoolCellClass = 'hidden w-9 max-w-9 desk:table-cell print:table-cell print:w-14 print:max-w-14'

type TopicRow = TopicFigure & { name: string }

/** The most asked topic comes first, and the questions of no topic last. */
const compareRows = (a: TopicRow, b: TopicRow) =>
  Number(a.id === NO_TOPIC) - Number(b.id === NO_TOPIC) ||
  estimateCount(b.questionCount) - estimateCount(a.questionCount)

/** Shows what questions are about, the most asked first: how many, week by week, beside last year, and by school. */
export function TopicsChart({ page }: { page: InterestPage }) {
  const t = useTranslations('interest.topics')
  const locale = useLocale()
  const { firstDay, lastDay, weeks, topics } = page.topics
  const rows = topics
    .filter(({ questionCount, lastYearCount }) => questionCount !== 0 || lastYearCount !== 0)
    .map((topic) => ({ ...topic, name: TOPICS.find(({ id }) => id === topic.id)?.name[locale] ?? t('other') }))
    .toSorted(compareRows)
  if (rows.length === 0) return null
  const schools = listSchoolColumns(page)
  const formatDay = (day: string) => formatEpochDay(parseIsoDay(day), 'full', locale)
  const period = { from: formatDay(firstDay), to: formatDay(lastDay) }
  const schoolNames = schools.map(({ name }) => name)
  const figures = {
    columns: [t('topic'), t('questions'), t('lastYear'), t('changePercent'), ...schoolNames, ...weeks],
    rows: rows.map((row) => [
      row.name,
      row.questionCount,
      row.lastYearCount,
      row.change === null ? null : Math.round(row.change * 100),
      ...schools.map(({ id }) => findSchoolCount(id, row.bySchool)),
      ...row.weekCounts,
    ]),
  }
  return (
    <ChartCard
      title={t('title')}
      note={t(rows.some(({ change }) => change !== null) ? 'note' : 'noteAlone', period)}
      fileName={`${t('fileName')}-${page.asOf}`}
      figures={figures}
      className="only:col-span-full"
    >
      <TopicsTable
        rows={rows}
        // A single school would repeat the column of all questions.
        schools={schools.length > 1 ? schools.slice(0, MAX_SCHOOL_COLUMNS) : []}
        isLastWeekUnfinished={weeks.at(-1) === formatIsoWeek(parseIsoDay(page.asOf))}
        paperRowCount={TOPICS_ON_PAPER[page.board.schools.length > MAX_FEW_SCHOOLS ? 'belowMany' : 'belowFewSchools']}
      />
    </ChartCard>
  )
}

function listSchoolColumns({ board, topics: { topics } }: InterestPage) {
  const words = board.schools.flatMap(({ school: { name } }) => [...new Set(name.split(' '))])
  return board.schools
    .map(({ school: { id, name } }) => ({
      id,
      name,
      // A school is known by the first word of its name that no other school has.
      distinctWord: name.split(' ').find((word) => words.indexOf(word) === words.lastIndexOf(word)) ?? name,
      questionCount: topics.reduce((sum, { bySchool }) => sum + estimateCount(findSchoolCount(id, bySchool)), 0),
    }))
    .filter(({ questionCount }) => questionCount > 0)
    .toSorted((a, b) => b.questionCount - a.questionCount)
}

const findSchoolCount = (highSchoolId: string, bySchool: TopicRow['bySchool']) =>
  bySchool.find((figure) => figure.highSchoolId === highSchoolId)?.questionCount ?? 0

type TopicsTableProps = {
  rows: readonly TopicRow[]
  schools: ReturnType<typeof listSchoolColumns>
  isLastWeekUnfinished: boolean
  paperRowCount: number
}

function TopicsTable({ rows, schools, isLastWeekUnfinished, paperRowCount }: TopicsTableProps) {
  const t = useTranslations('interest.topics')
  const { formatFigure } = useFigureFormat()
  const cellCounts = rows.flatMap(({ bySchool }) => bySchool.map(({ questionCount }) => estimateCount(questionCount)))
  const tintScaleEnd = Math.max(MIN_SCALE_END, ...cellCounts)
  const barScaleEnd = Math.max(MIN_SCALE_END, ...rows.flatMap(({ weekCounts }) => weekCounts.map(estimateCount)))
  const hasChange = rows.some(({ change }) => change !== null)
  return (
    <div role="region" aria-label={t('tableOf')} tabIndex={0} className="relative overflow-x-auto scroll-thin">
      <table className="tabular w-full border-collapse text-right text-sm print:text-[0.9rem]">
        <caption className="sr-only">{t('title')}</caption>
        <thead className="align-bottom text-2xs text-mute print:text-[0.8rem] [&_th]:pr-2 [&_th]:pb-1.5 [&_th]:font-medium">
          <tr>
            <th scope="col" className="text-left">
              {t('topic')}
            </th>
            <th scope="col" className="text-left">
              {t('weeks')}
            </th>
            <th scope="col">{t('questions')}</th>
            {hasChange && <th scope="col">{t('change')}</th>}
            {schools.map(({ id, name, distinctWord }) => (
              <th key={id} scope="col" className={cn(schoolCellClass, 'truncate pr-0! text-center')}>
                <abbr title={name} className="no-underline">
                  {distinctWord}
                </abbr>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, name, questionCount, change, weekCounts, bySchool }, index) => (
            <tr key={id} className={cn('h-7 print:h-6', index >= paperRowCount && 'print:hidden')}>
              <th scope="row" className="max-w-40 truncate pr-2 text-left font-normal">
                {name}
              </th>
              <td className="pr-2">
                <WeekBars
                  weekCounts={weekCounts}
                  barScaleEnd={barScaleEnd}
                  isLastWeekUnfinished={isLastWeekUnfinished}
                />
              </td>
              <td className="pr-2 font-semibold">{formatFigure(questionCount)}</td>
              {hasChange && (
                <td className="pr-2 whitespace-nowrap">
                  <ChangeText isNeutral change={change} />
                </td>
              )}
              {schools.map((school) => {
                const count = findSchoolCount(school.id, bySchool)
                const tint = Math.round((estimateCount(count) / tintScaleEnd) * MAX_TINT_PERCENT)
                return (
                  <td key={school.id} className={cn(schoolCellClass, 'p-px text-center')}>
                    <span
                      style={{ backgroundColor: `color-mix(in oklab, var(--color-accent) ${tint}%, transparent)` }}
                      className="block rounded-sm leading-6 [print-color-adjust:exact] print:leading-5"
                    >
                      {count === 0 ? <span className="text-mute">0</span> : formatFigure(count)}
                    </span>
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

type WeekBarsProps = { weekCounts: TopicRow['weekCounts']; barScaleEnd: number; isLastWeekUnfinished: boolean }

/** The bar of a week that is not over is pale. */
function WeekBars({ weekCounts, barScaleEnd, isLastWeekUnfinished }: WeekBarsProps) {
  const slotWidth = Math.min(12, BARS_WIDTH / Math.max(1, weekCounts.length))
  const bars = weekCounts.map(
    (count, index) =>
      `M${(index + 0.5) * slotWidth} ${BARS_HEIGHT}v${(-estimateCount(count) / barScaleEnd) * (BARS_HEIGHT - 1)}`,
  )
  const paleBar = isLastWeekUnfinished ? bars.pop() : undefined
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${BARS_WIDTH} ${BARS_HEIGHT}`}
      preserveAspectRatio="none"
      strokeWidth={slotWidth * 0.8}
      className="h-4.5 w-15 stroke-accent print:h-4 print:w-44"
    >
      <path d={bars.join('')} />
      <path d={paleBar} strokeOpacity="0.4" />
    </svg>
  )
}
