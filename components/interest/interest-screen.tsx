'use client'

import { useQuery } from '@tanstack/react-query'
import { ChartColumn } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { useRouter } from 'next/navigation'
import { useEffect } from 'react'
import { statusQuery } from '@/components/desk/feed-status'
import { useSchoolFilter } from '@/components/desk/schools'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { PageHeader } from '@/components/ui/page-header'
import type { InterestPage } from '@/lib/interest/interest-page'
import { fullTime } from '@/lib/time/format-date'
import { fullDay } from '@/lib/time/format-date'
import { epochDay } from '@/lib/time/stockholm'
import { AnswersChart } from './answers-chart'
import { CurvesChart } from './curves-chart'
import { FigureCards } from './figure-cards'
import { GoalWeeksChart } from './goal-weeks-chart'
import { HeatChart } from './heat-chart'
import { InterestFilters } from './interest-filters'
import { ModesChart } from './modes-chart'
import { useInterestUrl } from './use-interest-url'
import { WeeksChart } from './weeks-chart'

/** How many want to begin, where, and whether that is more than last year at this point. Counts only. */
export function InterestScreen({ page }: { page: InterestPage }) {
  const t = useTranslations('interest')
  const { unit } = useInterestUrl()
  const subtitle = useSubtitle(page)
  const source = { asOf: page.asOf, subtitle }
  const isEmpty =
    page.grid.total.total.declarations + page.grid.total.questions === 0 && page.headline.now.declarations === 0
  return (
    <div data-prints-small className="page print:max-w-none print:p-0">
      <KeepFresh />
      <PageHeader
        title={t('heading', { year: String(page.cohort) })}
        lead={subtitle}
        action={<InterestFilters page={page} />}
      />
      <PageNotes page={page} />
      {isEmpty ? (
        <NothingYet />
      ) : (
        <>
          <FigureCards page={page} unit={unit} />
          <div className="grid grid-cols-1 gap-3 min-[76rem]:grid-cols-[1.62fr_1fr] print:grid-cols-1">
            <CurvesChart page={page} unit={unit} source={source} />
            <div className="flex min-w-0 flex-col gap-3 print:grid print:grid-cols-2">
              <ModesChart page={page} source={source} />
              <AnswersChart page={page} source={source} />
            </div>
          </div>
          <HeatChart page={page} unit={unit} source={source} />
          <WeeksChart page={page} source={source} />
          <GoalWeeksChart page={page} source={source} />
        </>
      )}
    </div>
  )
}

const NAMED_SCHOOLS = 3

/** Whose numbers these are and of when; also on paper and in every picture. */
function useSubtitle({ chosen, snapshot }: InterestPage): string {
  const t = useTranslations('interest')
  const locale = useLocale()
  const few = chosen.length <= NAMED_SCHOOLS ? chosen.join(', ') : t('manySchools', { count: chosen.length })
  return t('asOf', {
    schools: chosen.length === 0 ? t('allSchools') : few,
    time: fullTime(Date.parse(snapshot.fetchedAt), locale),
  })
}

function NothingYet() {
  const t = useTranslations('interest')
  const [chosen, setChosen] = useSchoolFilter()
  return (
    <EmptyState
      icon={<ChartColumn />}
      title={t('emptyTitle')}
      action={chosen.length > 0 && <Button onClick={() => setChosen([])}>{t('showAllSchools')}</Button>}
    >
      {t('emptyBody')}
    </EmptyState>
  )
}

/** What a period narrows and what it does not, and that small numbers are withheld. */
function PageNotes({ page: { period, isWithheld } }: { page: InterestPage }) {
  const t = useTranslations('interest')
  const locale = useLocale()
  const isPeriod = period.from !== null || period.to !== null
  if (!isPeriod && !isWithheld) return null
  const day = (text: string | null, otherwise: string) => (text === null ? otherwise : fullDay(epochDay(text), locale))
  return (
    <div className="flex flex-col gap-1 rounded-md bg-warn px-4 py-2.5 text-xs text-warn-ink">
      {isPeriod && (
        <p suppressHydrationWarning>
          {t(isWithheld ? 'periodNoteWithheld' : 'periodNote', {
            from: day(period.from, t('start')),
            to: day(period.to, t('end')),
          })}
        </p>
      )}
      {isWithheld && <p className="max-w-[100ch] text-pretty">{t('withheldNote')}</p>}
    </div>
  )
}

/** Counting and drawing a hundred schools anew is work, and a trend does not turn within a minute. */
const EVERY_MS = 60_000

/**
 * Has the page drawn anew once a minute while it is looked at, because a manager's stream does not tell what was handled.
 * The server is asked first: drawing anew without one would leave the browser's own page of errors.
 */
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
