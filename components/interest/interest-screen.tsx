'use client'

import { useQuery } from '@tanstack/react-query'
import { ChartColumn, ChevronDown, Printer } from 'lucide-react'
import { useFormatter, useLocale, useTranslations } from 'next-intl'
import { useRouter } from 'next/navigation'
import { type ReactNode, useEffect } from 'react'
import { singleValues, useServerRedraw } from '@/components/browser/url-state'
import { statusQuery } from '@/components/desk/feed-status'
import { useSchoolFilter } from '@/components/desk/schools'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { PageHeader } from '@/components/ui/headings'
import { ChoiceMenu } from '@/components/ui/menu'
import { comparedYear, hasBegun } from '@/lib/interest/figure-words'
import type { InterestPage } from '@/lib/interest/interest-page'
import { type Clause, clauseValues, sentence } from '@/lib/interest/sentence'
import { fullTime, weekdayAndDate } from '@/lib/time/format-date'
import { CLOCK, formatDate } from '@/lib/time/format-time'
import { BOARD_ID, BoardTable, rowId } from './board-table'
import { CURVES_ID, CurvesChart } from './curves-chart'
import { PageFoot } from './page-foot'
import { TopicsChart } from './topics-chart'

export function InterestScreen({ page }: { page: InterestPage }) {
  const t = useTranslations('interest')
  const source = { asOf: page.asOf, subtitle: useSubtitle(page) }
  return (
    <div
      data-prints-small
      className="page print:flex print:h-[272mm] print:max-w-none print:flex-col print:gap-3 print:overflow-hidden print:p-0"
    >
      <KeepFresh />
      <PageHeader
        title={t('heading', { year: String(page.cohort) })}
        lead={useDayWords(page)}
        action={<InterestFilters page={page} />}
      />
      {isEmpty(page) ? (
        <NothingYet />
      ) : (
        <>
          <BoardSentence page={page} />
          <BackToAll page={page} />
          <BoardTable page={page} source={source} />
          <div className="grid grid-cols-1 gap-3 min-[76rem]:grid-cols-[minmax(0,5fr)_minmax(0,6fr)] print:flex print:flex-col">
            {hasBegun(page) && <CurvesChart page={page} source={source} />}
            <TopicsChart page={page} source={source} />
          </div>
          <PageFoot page={page} />
        </>
      )}
    </div>
  )
}

/** What there is to say, each part with a link to where it is shown. */
function BoardSentence({ page }: { page: InterestPage }) {
  const t = useTranslations('interest.sentence')
  const few = useTranslations('interest')('few')
  const valuesOf = clauseValues(page, { t, few, format: useFormatter(), locale: useLocale() })
  return (
    <p className="max-w-[66rem] text-lg leading-snug font-semibold tracking-tight text-pretty wrap-anywhere desk:text-[1.5rem] print:text-[1.4rem]">
      {sentence(page.board).map((clause) => (
        <span key={clause.message}>
          {t.rich(clause.message, { ...valuesOf(clause), link: linkTo(idOf(clause, page)) })}{' '}
        </span>
      ))}
    </p>
  )
}

function idOf({ school, message }: Clause, page: InterestPage): string {
  if (school !== undefined) return rowId(school.id)
  return message !== 'missesInAll' && hasBegun(page) ? CURVES_ID : BOARD_ID
}

const linkTo = (id: string) => (words: ReactNode) => (
  <a
    href={`#${encodeURIComponent(id)}`}
    className="underline decoration-accent/45 decoration-[1.5px] underline-offset-4 hover:decoration-accent print:no-underline"
  >
    {words}
  </a>
)

function InterestFilters({ page: { cohort, cohorts } }: { page: InterestPage }) {
  const t = useTranslations('interest')
  const redraw = useServerRedraw()
  return (
    <fieldset className="flex min-w-0 flex-wrap items-center gap-1.5 print:hidden">
      <legend className="sr-only">{t('filters')}</legend>
      <ChoiceMenu
        label={t('cohort')}
        entries={cohorts.map((year) => ({
          text: String(year),
          checked: year === cohort,
          onSelect: () => redraw(singleValues({ cohort: year })),
        }))}
        trigger={(props) => (
          <button
            {...props}
            type="button"
            aria-label={`${t('cohort')}: ${cohort}`}
            data-on
            className="chip tabular gap-1 pr-2 pl-2.5"
          >
            {t('cohortChip', { year: String(cohort) })}
            <ChevronDown aria-hidden className="size-3 text-mute" />
          </button>
        )}
      />
      <Button icon={Printer} text={t('print')} size="sm" onClick={() => window.print()} />
    </fieldset>
  )
}

function isEmpty({ board: { all, curves }, topics }: InterestPage): boolean {
  const counts = [all.now, all.waiting, ...topics.topics.map(({ questions }) => questions)]
  return counts.every((count) => count === 0) && curves.cohorts.length < 2
}

const NAMED_SCHOOLS = 3

function useSchoolWords({ chosen }: InterestPage): string | null {
  const t = useTranslations('interest')
  if (chosen.length === 0) return null
  return chosen.length <= NAMED_SCHOOLS ? chosen.join(', ') : t('manySchools', { count: chosen.length })
}

function useSubtitle(page: InterestPage): string {
  const t = useTranslations('interest')
  const locale = useLocale()
  return `${useSchoolWords(page) ?? t('allSchools')} · ${fullTime(Date.parse(page.snapshot.fetchedAt), locale)}`
}

function useDayWords(page: InterestPage): string {
  const t = useTranslations('interest')
  const locale = useLocale()
  const schools = useSchoolWords(page)
  const { asOf, board } = page
  const isNow = comparedYear(page).isLastYear && board.curves.today <= 0
  const time = formatDate(Date.parse(page.snapshot.fetchedAt), CLOCK, locale)
  const words = { day: weekdayAndDate(asOf, asOf, locale), time, days: isNow ? -board.curves.today : -1 }
  return [schools, t('sub', words)].filter((part) => part !== null).join(' · ')
}

/** From a school that its row opened. */
function BackToAll({ page: { chosen } }: { page: InterestPage }) {
  const t = useTranslations('interest')
  const [, setChosen] = useSchoolFilter()
  if (chosen.length === 0) return null
  return (
    <Button text={t('showAllSchools')} size="sm" className="self-start print:hidden" onClick={() => setChosen([])} />
  )
}

function NothingYet() {
  const t = useTranslations('interest')
  const [chosen, setChosen] = useSchoolFilter()
  return (
    <EmptyState
      icon={<ChartColumn />}
      title={t('emptyTitle')}
      hint={t('emptyBody')}
      action={chosen.length > 0 && <Button text={t('showAllSchools')} onClick={() => setChosen([])} />}
    />
  )
}

const EVERY_MS = 60_000

/** A manager's stream does not say what was handled. Asks first: a failed refresh shows the browser's error page. */
function KeepFresh() {
  const router = useRouter()
  const { refetch } = useQuery(statusQuery)
  useEffect(() => {
    let drawnAt = Date.now()
    const draw = async () => {
      if (document.hidden) return
      drawnAt = Date.now()
      const { isSuccess } = await refetch()
      if (isSuccess) router.refresh()
    }
    const look = () => void (Date.now() - drawnAt >= EVERY_MS && draw())
    const timer = setInterval(() => void draw(), EVERY_MS)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [refetch, router])
  return null
}
