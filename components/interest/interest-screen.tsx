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
import { PageHeader } from '@/components/ui/headings'
import type { InterestPage } from '@/lib/interest/interest-page'
import { fullDay, fullTime } from '@/lib/time/format-date'
import { epochDay } from '@/lib/time/stockholm'
import { AnswersChart } from './answers-chart'
import { CurvesChart } from './curves-chart'
import { FigureCards } from './figure-cards'
import { HeatChart } from './heat-chart'
import { InterestFilters, useInterestUrl } from './interest-filters'
import { ModesChart } from './modes-chart'
import { GoalWeeksChart, WeeksChart } from './weeks-charts'

export function InterestScreen({ page }: { page: InterestPage }) {
  const t = useTranslations('interest')
  const { unit } = useInterestUrl()
  const subtitle = useSubtitle(page)
  const source = { asOf: page.asOf, subtitle }
  const { total, questions } = page.grid.total
  const isEmpty = [total.declarations, questions, page.headline.now.declarations].every((count) => count === 0)
  return (
    <div data-prints-small className="page print:max-w-none print:p-0">
      <KeepFresh />
      <PageHeader
        title={t('heading', { year: String(page.cohort) })}
        lead={subtitle}
        action={<InterestFilters page={page} />}
      />
      <PeriodNote page={page} />
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
      {page.isRounded && <p className="text-xs text-mute">{t('rounded')}</p>}
    </div>
  )
}

const NAMED_SCHOOLS = 3

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

function PeriodNote({ page: { period } }: { page: InterestPage }) {
  const t = useTranslations('interest')
  const locale = useLocale()
  if (period.from === null && period.to === null) return null
  const day = (text: string | null, otherwise: string) => (text === null ? otherwise : fullDay(epochDay(text), locale))
  return (
    <p suppressHydrationWarning className="rounded-md bg-warn px-4 py-2.5 text-xs text-warn-ink">
      {t('periodNote', { from: day(period.from, t('start')), to: day(period.to, t('end')) })}
    </p>
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
