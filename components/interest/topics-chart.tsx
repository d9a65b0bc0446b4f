import { useLocale, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { cn } from '@/components/ui/cn'
import { cutText } from '@/lib/cut-text'
import { sizeOf } from '@/lib/interest/axis'
import type { InterestPage } from '@/lib/interest/interest-page'
import type { TopicFigure } from '@/lib/interest/topic-figures'
import { dayAndMonth, fullDay } from '@/lib/time/format-date'
import { epochDay } from '@/lib/time/stockholm'
import { isoWeek } from '@/lib/time/weeks'
import { NO_TOPIC, TOPICS } from '@/lib/topics/topic-list'
import { Change } from './board-columns'
import { ChartCard, type ChartSource, TablePicture } from './chart-card'
import { useFigureWords } from './figure-words'

/** What questions are about, most asked first: how many, week by week, beside last year, and by school. */
export function TopicsChart({ page, source }: { page: InterestPage; source: ChartSource }) {
  const t = useTranslations('interest.topics')
  const locale = useLocale()
  const { from, to, weeks, topics } = page.topics
  // Only what was asked about; the questions of no topic come last.
  const isLast = ({ id }: Row) => Number(id === NO_TOPIC)
  const rows = topics
    .filter(({ questions, lastYear }) => questions !== 0 || lastYear !== 0)
    .map((topic) => ({ ...topic, name: TOPICS.find(({ id }) => id === topic.id)?.name[locale] ?? t('other') }))
    .toSorted((a, b) => isLast(a) - isLast(b) || sizeOf(b.questions) - sizeOf(a.questions))
  if (rows.length === 0) return null
  const schools = schoolsByQuestions(page)
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
      figures={{
        columns: [...columns, ...weeks],
        rows: cells.map((row, index) => [...row, ...(rows[index]?.weeks ?? [])]),
      }}
      picture={<TablePicture columns={columns} rows={cells} />}
      className="only:col-span-full"
    >
      <TopicsTable
        rows={rows}
        schools={schools.length > 1 ? schools.slice(0, MAX_SCHOOLS) : []}
        names={weeks}
        isUnfinished={weeks.at(-1) === isoWeek(epochDay(source.asOf))}
        rowsOnPaper={page.board.schools.length > MANY_SCHOOLS ? 7 : 11}
      />
    </ChartCard>
  )
}

/** The most asked have a column, which is all that fits beside a curve. */
const MAX_SCHOOLS = 5
/** Where the table of schools is longer, a sheet has room for fewer rows below the curve. */
const MANY_SCHOOLS = 7
const SCHOOL_LETTERS = 5
const schoolClass = 'hidden w-9 max-w-9 desk:table-cell print:table-cell print:w-14 print:max-w-14'

type Row = TopicFigure & { name: string }
type AskedSchool = { id: string; name: string; short: string }

const questionsTo = (school: string, bySchool: Row['bySchool']) =>
  bySchool.find(({ highSchoolId }) => highSchoolId === school)?.questions ?? 0

function schoolsByQuestions({ board, topics: { topics } }: InterestPage): AskedSchool[] {
  const words = board.schools.flatMap(({ school: { name } }) => [...new Set(name.split(' '))])
  return board.schools
    .map(({ school: { id, name } }) => ({
      id,
      name,
      // The first word of its name that no other school has.
      short: name.split(' ').find((word) => words.indexOf(word) === words.lastIndexOf(word)) ?? name,
      asked: topics.reduce((sum, { bySchool }) => sum + sizeOf(questionsTo(id, bySchool)), 0),
    }))
    .filter((school) => school.asked > 0)
    .toSorted((a, b) => b.asked - a.asked)
}

type WeeksProps = { names: readonly string[]; isUnfinished: boolean }
type TableProps = WeeksProps & { rows: readonly Row[]; schools: readonly AskedSchool[]; rowsOnPaper: number }

function TopicsTable({ rows, schools, rowsOnPaper, ...weeks }: TableProps) {
  const t = useTranslations('interest.topics')
  const { figure } = useFigureWords()
  const most = Math.max(5, ...rows.flatMap(({ bySchool }) => bySchool.map(({ questions }) => sizeOf(questions))))
  const mostInWeek = Math.max(5, ...rows.flatMap(({ weeks: counts }) => counts.map(sizeOf)))
  const hasChange = rows.some(({ change }) => change !== null)
  return (
    <div role="region" aria-label={t('tableOf')} tabIndex={0} className="relative overflow-x-auto scroll-thin">
      <table className="tabular w-full border-collapse text-right text-sm print:text-[0.9rem]">
        <caption className="sr-only">{t('title')}</caption>
        <thead className="align-bottom text-2xs text-mute print:text-[0.8rem]">
          <tr>
            <Heading className="text-left">{t('topic')}</Heading>
            <Heading className="text-left">{t('weeks')}</Heading>
            <Heading>{t('questions')}</Heading>
            {hasChange && <Heading>{t('change')}</Heading>}
            {schools.map(({ id, name, short }) => (
              <Heading key={id} className={cn(schoolClass, 'pr-0 text-center whitespace-nowrap')}>
                <abbr title={name} className="no-underline">
                  {short.length > SCHOOL_LETTERS ? `${cutText(short, SCHOOL_LETTERS - 1)}.` : short}
                </abbr>
              </Heading>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, name, questions, change, weeks: counts, bySchool }, index) => (
            <tr key={id} className={cn('h-7 print:h-6', index >= rowsOnPaper && 'print:hidden')}>
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
              {schools.map((school) => {
                const asked = questionsTo(school.id, bySchool)
                // More questions make a darker cell.
                const depth = Math.round((sizeOf(asked) / most) * 40)
                return (
                  <td key={school.id} className={cn(schoolClass, 'p-px text-center')}>
                    <span
                      style={{ backgroundColor: `color-mix(in oklab, var(--color-accent) ${depth}%, transparent)` }}
                      className="block rounded-sm leading-6 [print-color-adjust:exact] print:leading-5"
                    >
                      {asked === 0 ? <span className="text-mute">0</span> : figure(asked)}
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

function Heading({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <th scope="col" className={cn('pr-2 pb-1.5 font-medium last:pr-0', className)}>
      {children}
    </th>
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
