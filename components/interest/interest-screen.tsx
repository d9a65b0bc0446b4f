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
import { LIKELY } from '@/lib/interest/forecast'
import type { InterestPage } from '@/lib/interest/interest-page'
import { clauseValues, GOAL_SHARE, sentence } from '@/lib/interest/sentence'
import { fullTime, weekdayAndDate } from '@/lib/time/format-date'
import { CLOCK, formatDate } from '@/lib/time/format-time'
import { BOARD_ID, BoardTable, rowId } from './board-table'
import { CURVES_ID, CurvesChart } from './curves-chart'
import { useFigureWords } from './figure-words'
import { TopicsChart } from './topics-chart'

const NAMED_SCHOOLS = 3

export function InterestScreen({ page }: { page: InterestPage }) {
  const t = useTranslations('interest')
  const locale = useLocale()
  const [, setChosen] = useSchoolFilter()
  const redraw = useServerRedraw()
  useKeepFresh()
  const { asOf, board, chosen, cohort, cohorts, snapshot, topics } = page
  const fetchedAt = Date.parse(snapshot.fetchedAt)
  const schools = chosen.length <= NAMED_SCHOOLS ? chosen.join(', ') : t('manySchools', { count: chosen.length })
  const source = { asOf, subtitle: `${schools || t('allSchools')} · ${fullTime(fetchedAt, locale)}` }
  const isNow = comparedYear(page).isLastYear && board.curves.today <= 0
  const day = t('sub', {
    day: weekdayAndDate(asOf, asOf, locale),
    time: formatDate(fetchedAt, CLOCK, locale),
    days: isNow ? -board.curves.today : -1,
  })
  const counts = [board.all.now, board.all.waiting, ...topics.topics.map(({ questions }) => questions)]
  const isEmpty = counts.every((count) => count === 0) && board.curves.cohorts.length < 2
  const filters = (
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
  const showAll = { text: t('showAllSchools'), onClick: () => setChosen([]) }
  return (
    <div
      data-prints-small
      className="page print:flex print:h-[272mm] print:max-w-none print:flex-col print:gap-3 print:overflow-hidden print:p-0"
    >
      <PageHeader
        title={t('heading', { year: String(cohort) })}
        lead={schools === '' ? day : `${schools} · ${day}`}
        action={filters}
      />
      {isEmpty ? (
        <EmptyState
          icon={<ChartColumn />}
          title={t('emptyTitle')}
          hint={t('emptyBody')}
          action={chosen.length > 0 && <Button {...showAll} />}
        />
      ) : (
        <>
          <BoardSentence page={page} />
          {/* A row of the table opens one school; this shows all of them again. */}
          {chosen.length > 0 && <Button {...showAll} size="sm" className="self-start print:hidden" />}
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

const EVERY_MS = 60_000

/** A manager's stream does not say what was handled. Asks first: a failed refresh shows the browser's error page. */
function useKeepFresh(): void {
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
}

/** What there is to say, each part with a link to where it is shown. */
function BoardSentence({ page }: { page: InterestPage }) {
  const t = useTranslations('interest.sentence')
  const few = useTranslations('interest')('few')
  const valuesOf = clauseValues(page, { t, few, format: useFormatter(), locale: useLocale() })
  return (
    <p className="max-w-[66rem] text-lg leading-snug font-semibold tracking-tight text-pretty wrap-anywhere desk:text-[1.5rem] print:text-[1.4rem]">
      {sentence(page.board).map((clause) => {
        const { school, message } = clause
        const whole = message !== 'missesInAll' && hasBegun(page) ? CURVES_ID : BOARD_ID
        const link = (words: ReactNode) => (
          <a
            href={`#${encodeURIComponent(school === undefined ? whole : rowId(school.id))}`}
            className="underline decoration-accent/45 decoration-[1.5px] underline-offset-4 hover:decoration-accent print:no-underline"
          >
            {words}
          </a>
        )
        return <span key={message}>{t.rich(message, { ...valuesOf(clause), link })} </span>
      })}
    </p>
  )
}

/** One line on screen, with what it means behind it; on paper all of it. */
function PageFoot({ page }: { page: InterestPage }) {
  const t = useTranslations('interest.foot')
  const locale = useLocale()
  const format = useFormatter()
  const { share } = useFigureWords()
  const { board, goals, hasFirstDay, isRounded, isWorked, snapshot } = page
  const kinds = (['asked-question', 'declaration-of-interest'] as const).flatMap((kind) =>
    goals[kind] === null ? [] : [t(`goalOf.${kind}`, { days: goals[kind] })],
  )
  const meaning = [
    isRounded && t('roundedMeans'),
    board.all.forecast !== null && t('range', { likely: share(LIKELY) }),
    isWorked &&
      hasFirstDay &&
      kinds.length > 0 &&
      t('goal', { share: share(GOAL_SHARE), goals: format.list(kinds, { type: 'conjunction' }) }),
  ]
    .filter(Boolean)
    .join(' ')
  return (
    <footer className="text-xs text-mute print:mt-auto print:border-t print:border-line print:pt-2 print:text-[0.8rem]">
      <details className="print:hidden">
        <summary className="w-fit cursor-pointer rounded-sm py-1.5 hover:text-ink touch:py-3">
          {t(isRounded ? 'rounded' : 'how')}
        </summary>
        <p className="max-w-prose text-pretty">{meaning}</p>
      </details>
      <p className="hidden print:block">{isRounded ? `${t('rounded')}. ${meaning}` : meaning}</p>
      <p suppressHydrationWarning>
        {t('source', {
          schools: t('schools', { count: board.schools.length }),
          time: fullTime(Date.parse(snapshot.fetchedAt), locale),
        })}
      </p>
    </footer>
  )
}
