'use client'

import { useQuery } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'next-intl'
import { feedReportQuery } from '@/lib/api/feed-report'
import type { FeedReport } from '@/lib/contract/feed-report'
import { BudgetCard } from './budget-card'
import { HealthMark } from './health-mark'
import { ListCard } from './list-card'
import { verdict } from './list-health'
import { clockTime } from './measures'
import { PurgeHolds } from './purge-holds'
import { useServerNow } from './use-server-now'

const order = ['declarations-of-interest', 'asked-questions', 'high-schools'] as const

/** How the lists are fetched, as of a few seconds ago. `first` is what the server knew when it made the page. */
export function StatusScreen({ first }: { first: FeedReport }) {
  const t = useTranslations('admin.status')
  const { data, dataUpdatedAt, isError } = useQuery({ ...feedReportQuery, initialData: first })
  const now = useServerNow(data.at, dataUpdatedAt)
  return (
    <div className="mx-auto flex max-w-6xl flex-col gap-4 p-4 desk:px-8 desk:py-7">
      <header className="flex flex-wrap items-end justify-between gap-x-10 gap-y-3">
        <div>
          <h1 className="text-lg font-semibold">{t('title')}</h1>
          <p className="text-sm text-mute">{t('lead')}</p>
        </div>
        <Verdict lists={data.lists} />
      </header>
      {isError && <Cut at={data.at} />}
      <PurgeHolds />
      <BudgetCard budget={data.budget} />
      {order.map((list) => (
        <ListCard key={list} list={list} report={data.lists[list]} now={now} />
      ))}
      <p className="max-w-prose text-xs text-mute">{t('pace')}</p>
    </div>
  )
}

/** Announced when it changes. */
function Verdict({ lists }: Pick<FeedReport, 'lists'>) {
  const t = useTranslations('admin.status.verdict')
  const { health, count } = verdict(lists)
  return (
    <p role="status" className="flex items-center gap-2 font-medium">
      <HealthMark health={health} />
      {t(health, { count })}
    </p>
  )
}

/** Our own server does not answer: what is on screen is what it said last. */
function Cut({ at }: Pick<FeedReport, 'at'>) {
  const t = useTranslations('admin.status')
  const locale = useLocale()
  return (
    <p role="alert" className="rounded-md bg-warn px-4 py-2.5 text-sm text-warn-ink">
      {t('cut', { time: clockTime(at, locale) })}
    </p>
  )
}
