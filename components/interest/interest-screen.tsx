'use client'

import { useQuery } from '@tanstack/react-query'
import { Printer } from 'lucide-react'
import { useFormatter, useLocale, useTranslations } from 'next-intl'
import { useRouter } from 'next/navigation'
import { type ReactNode, useEffect, useRef } from 'react'
import { useServerRefresh } from '@/components/app/url-state'
import { feedStatusQuery } from '@/components/app/feed-status'
import { useSchoolFilter } from '@/components/app/schools'
import { Button } from '@/components/ui/button'
import { Select } from '@/components/ui/field'
import { PageHeader } from '@/components/ui/headings'
import { LEAD_KINDS } from '@/lib/contract/lists'
import { GOAL_SHARE } from '@/lib/interest/board-rows'
import { FORECAST_CONFIDENCE } from '@/lib/interest/forecast'
import { describeComparison, hasSeasonBegun, type InterestPage } from '@/lib/interest/interest-page'
import { type Clause, composeSentence, createClauseValues } from '@/lib/interest/sentence'
import { formatFullTime, formatWeekdayDate } from '@/lib/time/format-date'
import { CLOCK_FORMAT, formatDate } from '@/lib/time/format-time'
import { BOARD_ID, BoardTable, toBoardRowId } from './board-table'
import { CURVES_ID, CurvesChart } from './curves-chart'
import { useFigureFormat } from './figure-format'
import { TopicsChart } from './topics-chart'

const MAX_NAMED_SCHOOLS = 3
const REFRESH_MS = 60_000

/** Shows a cohort: a sentence that says what matters, the table of schools, the curves and the topics. */
export function InterestScreen({ page }: { page: InterestPage }) {
  const t = useTranslations('interest')
  const locale = useLocale()
  const [, setSchools] = useSchoolFilter()
  const refreshWith = useServerRefresh()
  usePageRefresh()
  const { asOf, board, chosenSchools, cohort, cohorts, snapshot } = page
  const fetchedAt = Date.parse(snapshot.fetchedAt)
  const schoolsText =
    chosenSchools.length <= MAX_NAMED_SCHOOLS
      ? chosenSchools.join(', ')
      : t('manySchools', { count: chosenSchools.length })
  const pictureSubtitle = `${schoolsText || t('allSchools')} · ${formatFullTime(fetchedAt, locale)}`
  const isCurrentSeason = describeComparison(page).isLastYear && board.curves.todayCycleDay <= 0
  const time = formatDate(fetchedAt, CLOCK_FORMAT, locale)
  const introParts = [
    schoolsText,
    t('asOf', { day: formatWeekdayDate(asOf, asOf, locale), time }),
    isCurrentSeason && t('daysToApply', { days: -board.curves.todayCycleDay }),
  ]
  const actions = (
    <div className="flex min-w-0 flex-wrap items-center gap-1.5 print:hidden">
      <Select
        aria-label={t('cohort')}
        value={String(cohort)}
        options={cohorts.map((year) => [String(year), t('cohortChip', { year: String(year) })] as const)}
        onChoose={(year) => refreshWith({ cohort: year })}
        className="border-line text-sm font-medium"
      />
      <Button icon={Printer} text={t('print')} size="sm" onClick={() => window.print()} />
    </div>
  )
  return (
    <div
      data-prints-small
      className="page print:flex print:h-[272mm] print:max-w-none print:flex-col print:gap-3 print:overflow-hidden print:p-0"
    >
      <PageHeader
        title={t('heading', { year: String(cohort) })}
        intro={introParts.filter(Boolean).join(' · ')}
        action={actions}
      />
      <BoardSentence page={page} />
      {/* A row of the table opens one school; this shows all of them again. */}
      {chosenSchools.length > 0 && (
        <Button
          text={t('showAllSchools')}
          size="sm"
          className="self-start print:hidden"
          onClick={() => setSchools([])}
        />
      )}
      <BoardTable page={page} />
      <div className="grid grid-cols-1 gap-3 min-[76rem]:grid-cols-[minmax(0,5fr)_minmax(0,6fr)] print:flex print:flex-col">
        {hasSeasonBegun(page) && <CurvesChart page={page} pictureSubtitle={pictureSubtitle} />}
        <TopicsChart page={page} />
      </div>
      <PageFoot page={page} />
    </div>
  )
}

/** Refreshes the page each minute, because no live event tells a manager what was handled. */
function usePageRefresh(): void {
  const router = useRouter()
  // The page is refreshed only once the status has been read, because a refresh that fails shows the browser's error.
  const { dataUpdatedAt } = useQuery({ ...feedStatusQuery, refetchInterval: REFRESH_MS })
  const refreshedAt = useRef(0)
  useEffect(() => {
    refreshedAt.current ||= Date.now()
    if (dataUpdatedAt - refreshedAt.current < REFRESH_MS) return
    refreshedAt.current = dataUpdatedAt
    router.refresh()
  }, [dataUpdatedAt, router])
}

/** Links each clause to the chart or row that shows it. The small print names what the sentence is based on. */
function BoardSentence({ page }: { page: InterestPage }) {
  const t = useTranslations('interest.sentence')
  const fewText = useTranslations('interest')('few')
  const toValues = createClauseValues(page, { t, fewText, format: useFormatter(), locale: useLocale() })
  const { headline, basis } = composeSentence(page.board)
  const findAnchor = ({ school, message }: Clause) => {
    if (school !== undefined) return toBoardRowId(school.id)
    return message !== 'inTime' && hasSeasonBegun(page) ? CURVES_ID : BOARD_ID
  }
  return (
    <div>
      <h2 className="text-lg leading-snug font-semibold tracking-tight text-pretty wrap-anywhere desk:text-xl print:text-xl">
        {headline.map((clause) => {
          const link = (text: ReactNode) => (
            <a
              href={`#${encodeURIComponent(findAnchor(clause))}`}
              className="underline decoration-accent/45 decoration-[1.5px] underline-offset-4 hover:decoration-accent print:no-underline"
            >
              {text}
            </a>
          )
          return <span key={clause.message}>{t.rich(clause.message, { ...toValues(clause), link })} </span>
        })}
      </h2>
      <p className="mt-1 text-xs text-pretty text-mute first-letter:uppercase print:text-[0.8rem]">
        {basis.map((clause) => t(clause.message, toValues(clause))).join(' · ')}
      </p>
    </div>
  )
}

/** The explanation is folded on screen, and open on paper. */
function PageFoot({ page }: { page: InterestPage }) {
  const t = useTranslations('interest.foot')
  const locale = useLocale()
  const format = useFormatter()
  const { formatShare } = useFigureFormat()
  const { board, goals, hasWorkStart, isRounded, isCurrentCohort, snapshot } = page
  const judgedKinds = isCurrentCohort && hasWorkStart ? LEAD_KINDS : []
  const goalTexts = judgedKinds.flatMap((kind) =>
    goals[kind] === null ? [] : [t(`goalOf.${kind}`, { days: goals[kind] })],
  )
  const explanation = [
    isRounded && t('roundedMeans'),
    board.total.forecast !== null && t('range', { likely: formatShare(FORECAST_CONFIDENCE) }),
    goalTexts.length > 0 &&
      t('goal', { share: formatShare(GOAL_SHARE), goals: format.list(goalTexts, { type: 'conjunction' }) }),
  ]
    .filter(Boolean)
    .join(' ')
  return (
    <footer className="text-xs text-mute print:mt-auto print:border-t print:border-line print:pt-2 print:text-[0.8rem]">
      <details className="print:hidden">
        <summary className="w-fit cursor-pointer rounded-sm py-1.5 hover:text-ink touch:py-3">
          {t(isRounded ? 'rounded' : 'how')}
        </summary>
        <p className="max-w-prose text-pretty">{explanation}</p>
      </details>
      <p className="hidden print:block">{isRounded ? `${t('rounded')}. ${explanation}` : explanation}</p>
      <p suppressHydrationWarning>
        {t('source', {
          schools: t('schools', { count: board.schools.length }),
          time: formatFullTime(Date.parse(snapshot.fetchedAt), locale),
        })}
      </p>
    </footer>
  )
}
