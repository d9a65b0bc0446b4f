'use client'

import { useQuery } from '@tanstack/react-query'
import { useFormatter, useLocale, useTranslations } from 'next-intl'
import { useNow } from '@/components/browser/clock'
import { cn } from '@/components/ui/cn'
import { Banner } from '@/components/ui/notice'
import { PageHeader } from '@/components/ui/page-header'
import { apiQuery } from '@/lib/api/call'
import type { FeedReport, OtherAddressReport } from '@/lib/contract/feed-status'
import { clockTime } from '@/lib/time/format-date'
import { dayAndTime } from '@/lib/time/format-time'
import { ListCard } from './list-card'
import { MailCard, PurgeHolds, SignOnCard } from './status-cards'
import { Figure, HealthMark, verdict } from './status-parts'

const reportQuery = { ...apiQuery('GET /api/feed-report'), refetchInterval: 5_000, refetchOnWindowFocus: true }
const order = ['declarations-of-interest', 'asked-questions', 'high-schools'] as const

/** How the lists are fetched, as of a few seconds ago. `first` is what the server knew when it made the page. */
export function StatusScreen({ first, email }: { first: FeedReport; email: string }) {
  const t = useTranslations('admin.status')
  const locale = useLocale()
  const { data, dataUpdatedAt, isError } = useQuery({ ...reportQuery, initialData: first })
  const now = useServerNow(data.at, dataUpdatedAt)
  const { health, count } = verdict(data.lists)
  const inShort = (
    <p role="status" className="flex items-center gap-2 font-medium">
      <HealthMark health={health} />
      {t(`verdict.${health}`, { count })}
    </p>
  )
  return (
    <div className="page">
      <PageHeader title={t('title')} lead={t('lead')} action={inShort} />
      {isError && <Banner>{t('cut', { time: clockTime(Date.parse(data.at), locale) })}</Banner>}
      {data.otherAddress && <OtherAddress report={data.otherAddress} now={now} />}
      <PurgeHolds />
      {data.signOn?.problem && <SignOnCard report={data.signOn} now={now} />}
      <BudgetCard budget={data.budget} />
      {order.map((list) => (
        <ListCard key={list} list={list} report={data.lists[list]} now={now} />
      ))}
      {data.signOn?.problem === null && <SignOnCard report={data.signOn} now={now} />}
      <MailCard report={data.mail} email={email} />
      <p className="max-w-prose text-xs text-mute">{t('pace')}</p>
      <nav aria-label={t('documents.title')} className="flex flex-wrap gap-x-5 gap-y-2 text-sm">
        {(['privacy', 'security'] as const).map((name) => (
          <a key={name} href={`/admin/${name}`} className="text-accent underline-offset-2 hover:underline">
            {t(`documents.${name}`)}
          </a>
        ))}
      </nav>
    </div>
  )
}

/** The server's clock (ms), ticking: what it said with the data, and the time that has passed here since. */
function useServerNow(at: string, receivedAtMs: number): number {
  const now = useNow()
  return Date.parse(at) + (now === null ? 0 : Math.max(0, now - receivedAtMs))
}

/** What people open is not what `NEXTAUTH_URL` says. */
function OtherAddress({ report, now }: { report: OtherAddressReport; now: number }) {
  const t = useTranslations('admin.status.otherAddress')
  const locale = useLocale()
  const { openedAt, setUpFor, count, lastAt } = report
  return (
    <Banner>
      <strong className="block font-semibold break-words">{t('title', { openedAt, setUpFor })}</strong>
      {t('body', { count, time: dayAndTime(Date.parse(lastAt), now, locale) })}
    </Banner>
  )
}

function BudgetCard({ budget }: Pick<FeedReport, 'budget'>) {
  const t = useTranslations('admin.status.budget')
  const format = useFormatter()
  const { spentThisHour, perHour, perSecond, shares } = budget
  return (
    <section aria-labelledby="budget" className="rounded-lg border border-line bg-panel p-4 shadow-card desk:px-5">
      <div className="flex flex-wrap items-start justify-between gap-x-10 gap-y-4">
        <div className="min-w-[min(15rem,100%)] flex-1">
          <h2 id="budget" className="text-sm font-semibold">
            {t('title')}
          </h2>
          <strong className="tabular mt-1 block text-xl font-semibold">
            {t('spent', { spent: spentThisHour, limit: perHour })}
          </strong>
          <div
            aria-hidden="true"
            className="my-2 h-1.5 overflow-hidden rounded-full bg-line forced-colors:h-2 forced-colors:border"
          >
            <div
              className={cn(
                'h-full origin-left rounded-full transition-transform duration-500 forced-colors:bg-[Highlight]',
                spentThisHour < perHour ? 'bg-accent' : 'bg-status-progress',
              )}
              style={{ transform: `scaleX(${Math.min(1, spentThisHour / perHour)})` }}
            />
          </div>
          <p className="text-xs text-mute">{t('hint')}</p>
        </div>
        <dl className="grid grid-cols-2 gap-x-8 gap-y-3 text-sm">
          <Figure label={t('left')}>{format.number(Math.max(0, perHour - spentThisHour))}</Figure>
          <Figure label={t('perSecond')}>{format.number(perSecond)}</Figure>
          <Figure label={t('lists')}>{format.number(shares.lists)}</Figure>
          <Figure label={t('lookups')}>{format.number(shares.lookups)}</Figure>
        </dl>
      </div>
    </section>
  )
}
