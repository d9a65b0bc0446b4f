'use client'

import { ChartColumn } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { useSchoolFilter } from '@/components/shell/use-school-filter'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import type { InterestPage } from '@/lib/interest/interest-page'
import { fullTime } from '@/lib/time/format-time'
import { CurvesChart } from './curves-chart'
import { FigureCards } from './figure-cards'
import { HandledChart } from './handled-chart'
import { HeatChart } from './heat-chart'
import { InterestFilters } from './interest-filters'
import { KeepFresh } from './keep-fresh'
import { ModesChart } from './modes-chart'
import { PageNotes } from './page-notes'
import { useInterestUrl } from './use-interest-url'
import { WeeksChart } from './weeks-chart'

const NAMED_SCHOOLS = 3

/** How many want to begin, where, and whether that is more than last year at this point. Counts only. */
export function InterestScreen({ page }: { page: InterestPage }) {
  const t = useTranslations('interest')
  const { unit } = useInterestUrl()
  const subtitle = useSubtitle(page)
  const file = { asOf: page.asOf, subtitle }
  const isEmpty =
    page.grid.total.total.declarations + page.grid.total.questions === 0 && page.headline.now.declarations === 0
  return (
    <div
      data-prints-alone
      className="mx-auto flex max-w-7xl flex-col gap-3 p-4 desk:px-8 desk:py-6 print:max-w-none print:p-0"
    >
      <KeepFresh />
      <header className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3">
        <div className="min-w-0">
          <h1 className="text-xl font-semibold text-balance">{t('heading', { year: String(page.cohort) })}</h1>
          <p suppressHydrationWarning className="text-sm wrap-anywhere text-mute">
            {subtitle}
          </p>
        </div>
        <InterestFilters page={page} />
      </header>
      <PageNotes page={page} />
      {isEmpty ? (
        <NothingYet />
      ) : (
        <>
          <FigureCards page={page} unit={unit} />
          <div className="grid grid-cols-1 gap-3 min-[76rem]:grid-cols-[1.62fr_1fr] print:grid-cols-1">
            <CurvesChart page={page} unit={unit} file={file} />
            <div className="flex min-w-0 flex-col gap-3">
              <ModesChart page={page} file={file} />
              <HandledChart page={page} file={file} />
            </div>
          </div>
          <HeatChart page={page} unit={unit} file={file} />
          <WeeksChart page={page} file={file} />
        </>
      )}
    </div>
  )
}

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
