import { useLocale, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { cn } from '@/components/ui/cn'
import type { Count } from '@/lib/contract/interest'
import { cutText } from '@/lib/cut-text'
import { sizeOf } from '@/lib/interest/axis'
import type { InterestPage } from '@/lib/interest/interest-page'
import type { TopicFigure } from '@/lib/interest/topic-figures'
import { dayAndMonth, fullDay } from '@/lib/time/format-date'
import { epochDay } from '@/lib/time/stockholm'
import { isoWeek } from '@/lib/time/weeks'
import { NO_TOPIC, TOPICS } from '@/lib/topics/topic-list'
import { Change } from './board-cells'
import { ChartCard, type ChartSource, TablePicture } from './chart-card'
import { useFigureWords } from './figure-words'

/** What questions are about, most asked first: how many, week by week, beside last year, and by school. */
export function TopicsChart({ page, source }: { page: InterestPage; source: ChartSource }) {
  const t = useTranslations('interest.topics')
  const locale = useLocale()
  const rows = useTopicRows(page)
  const schools = schoolsByQuestions(page)
  if (rows.length === 0) return null
  const { from, to, weeks } = page.topics
  const write = from.slice(0, 4) === source.asOf.slice(0, 4) ? dayAndMonth : fullDay
  const period = { from: write(epochDay(from), locale), to: write(epochDay(to), locale) }
  const columns = [t('topic'), t('questions'), t('lastYear'), t('changePercent'), ...schools.map(({ name }) => name)]
  const cells = rows.map(({ name, questions, lastYear, change, bySchool }) => [
    name,
    questions,
    lastYear,
    change === null ? null : Math.round(change * 100),
    ...schools.map(({ id }) => questionsTo(id, bySchool)),
  ])
  return (
    <ChartCard
      title={t('title')}
      note={t(rows.some(({ change }) => change !== null) ? 'note' : 'noteAlone', period)}
      file={{ ...source, name: t('fileName') }}
      figures={{ columns: [...columns, ...weeks], rows: cells.map((row, at) => [...row, ...(rows[at]?.weeks ?? [])]) }}
      picture={() => <TablePicture columns={columns} rows={cells} />}
      className="only:col-span-full"
    >
      <TopicsTable
        rows={rows}
        schools={schools.length > 1 ? schools.slice(0, MAX_SCHOOLS) : []}
        names={weeks}
        isUnfinished={weeks.at(-1) === isoWeek(epochDay(source.asOf))}
        isShort={page.board.schools.length > FEW_SCHOOLS}
      />
    </ChartCard>
  )
}

/** The most asked have a column, which is all that fits beside a curve. */
const MAX_SCHOOLS = 5
/** What a sheet has room for below the curve; where the table of schools is long, fewer. */
const [ON_PAPER, FEW_ON_PAPER, FEW_SCHOOLS] = [11, 7, 7]

type Row = TopicFigure & { name: string }
type AskedSchool = { id: string; name: string; short: string }

const questionsTo = (school: string, bySchool: Row['bySchool']) =>
  bySchool.find(({ highSchoolId }) => highSchoolId === school)?.questions ?? 0

/** Those that were asked about, the most first; at the end the questions of no topic. */
function useTopicRows({ topics: { topics } }: InterestPage): Row[] {
  const t = useTranslations('interest.topics')
  const locale = useLocale()
  const isLast = ({ id }: Row) => Number(id === NO_TOPIC)
  return topics
    .filter(({ questions, lastYear }) => questions !== 0 || lastYear !== 0)
    .map((topic) => ({ ...topic, name: TOPICS.find(({ id }) => id === topic.id)?.name[locale] ?? t('other') }))
    .toSorted((a, b) => isLast(a) - isLast(b) || sizeOf(b.questions) - sizeOf(a.questions))
}

function schoolsByQuestions({ board, topics: { topics } }: InterestPage): AskedSchool[] {
  const asked = (id: string) => topics.reduce((sum, { bySchool }) => sum + sizeOf(questionsTo(id, bySchool)), 0)
  const words = board.schools.flatMap(({ school: { name } }) => [...new Set(name.split(' '))])
  /** The first word of its name that no other school has. */
  const shortOf = (name: string) => name.split(' ').find((word) => words.indexOf(word) === words.lastIndexOf(word))
  return board.schools
    .map(({ school: { id, name } }) => ({ id, name, short: shortOf(name) ?? name, asked: asked(id) }))
    .filter((school) => school.asked > 0)
    .toSorted((a, b) => b.asked - a.asked)
}

type WeeksProps = { names: readonly string[]; isUnfinished: boolean }
type TableProps = WeeksProps & { rows: readonly Row[]; schools: readonly AskedSchool[]; isShort: boolean }

function TopicsTable({ rows, schools, isShort, ...weeks }: TableProps) {
  const t = useTranslations('interest.topics')
  const { figure } = useFigureWords()
  const most = Math.max(5, ...rows.flatMap(({ bySchool }) => bySchool.map(({ questions }) => sizeOf(questions))))
  const mostInWeek = Math.max(5, ...rows.flatMap(({ weeks: counts }) => counts.map(sizeOf)))
  const hasChange = rows.some(({ change }) => change !== null)
  return (
    <div role="region" aria-label={t('tableOf')} tabIndex={0} className="relative overflow-x-auto scroll-thin">
      <table className="tabular w-full border-collapse text-right text-sm print:text-[0.9rem]">
        <caption className="sr-only">{t('title')}</caption>
        <Headings schools={schools} hasChange={hasChange} />
        <tbody>
          {rows.map(({ id, name, questions, change, weeks: counts, bySchool }, at) => (
            <tr key={id} className={cn('h-7 print:h-6', at >= (isShort ? FEW_ON_PAPER : ON_PAPER) && 'print:hidden')}>
              <th scope="row" className="max-w-40 truncate pr-2 text-left font-normal">
                {name}
              </th>
              <td className="pr-2">
                <WeekBars {...weeks} weeks={counts} most={mostInWeek} />
              </td>
              <td className="pr-2 font-semibold">{figure(questions)}</td>
              {hasChange && (
                <td className="pr-2 whitespace-nowrap">
                  <Change isNeutral change={change} />
                </td>
              )}
              {schools.map((school) => (
                <Asked key={school.id} questions={questionsTo(school.id, bySchool)} most={most} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Headings({ schools, hasChange }: Pick<TableProps, 'schools'> & { hasChange: boolean }) {
  const t = useTranslations('interest.topics')
  return (
    <thead className="align-bottom text-2xs text-mute print:text-[0.8rem]">
      <tr>
        <Heading className="text-left">{t('topic')}</Heading>
        <Heading className="text-left">{t('weeks')}</Heading>
        <Heading>{t('questions')}</Heading>
        {hasChange && <Heading>{t('change')}</Heading>}
        {schools.map(({ id, name, short }) => (
          <Heading key={id} className={cn(OF_SCHOOL, 'pr-0 text-center whitespace-nowrap')}>
            <abbr title={name} className="no-underline">
              {short.length > SCHOOL_LETTERS ? `${cutText(short, SCHOOL_LETTERS - 1)}.` : short}
            </abbr>
          </Heading>
        ))}
      </tr>
    </thead>
  )
}

const SCHOOL_LETTERS = 5
const OF_SCHOOL = 'hidden w-9 max-w-9 desk:table-cell print:table-cell print:w-14 print:max-w-14'

function Heading({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <th scope="col" className={cn('pr-2 pb-1.5 font-medium last:pr-0', className)}>
      {children}
    </th>
  )
}

/** The more, the darker. */
function Asked({ questions, most }: { questions: Count; most: number }) {
  const { figure } = useFigureWords()
  const depth = Math.round((sizeOf(questions) / most) * 40)
  return (
    <td className={cn(OF_SCHOOL, 'p-px text-center')}>
      <span
        style={{ backgroundColor: `color-mix(in oklab, var(--color-accent) ${depth}%, transparent)` }}
        className="block rounded-sm leading-6 [print-color-adjust:exact] print:leading-5"
      >
        {questions === 0 ? <span className="text-mute">0</span> : figure(questions)}
      </span>
    </td>
  )
}

const [BARS, BAR] = [60, 18]

/** The unfinished week is an outline. */
function WeekBars({ names, weeks, most, isUnfinished }: WeeksProps & { weeks: Row['weeks']; most: number }) {
  const slot = Math.min(12, BARS / Math.max(1, weeks.length))
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${BARS} ${BAR}`}
      preserveAspectRatio="none"
      className="h-4.5 w-15 print:h-4 print:w-44"
    >
      {weeks.map((week, index) => {
        const tall = (sizeOf(week) / most) * (BAR - 1)
        const outline = isUnfinished && index === weeks.length - 1 ? 0.5 : 0
        return (
          <rect
            key={names[index]}
            x={index * slot + outline}
            y={BAR - tall}
            width={Math.max(0.5, slot - 1 - 2 * outline)}
            height={tall}
            className={outline > 0 ? 'fill-panel stroke-accent' : 'fill-accent'}
          />
        )
      })}
    </svg>
  )
}
