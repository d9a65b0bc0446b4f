'use client'

import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { useFormatter, useLocale, useTranslations } from 'next-intl'
import { useNow } from '@/components/browser/clock'
import { ConfirmButton } from '@/components/desk/save'
import { cn } from '@/components/ui/cn'
import { Banner } from '@/components/ui/notice'
import { PageHeader } from '@/components/ui/headings'
import { api, apiQuery } from '@/lib/api/call'
import type { FeedReport, OtherAddressReport, PurgeHold } from '@/lib/contract/feed-status'
import { clockTime, fullTime } from '@/lib/time/format-date'
import { dayAndTime } from '@/lib/time/format-time'
import { MailCard, SignOnCard } from './connection-cards'
import { ListCard } from './list-card'
import { Figure, HealthMark, verdict } from './status-parts'

const reportQuery = { ...apiQuery('GET /api/feed-report'), refetchInterval: 5_000, refetchOnWindowFocus: true }
const LISTS = ['declarations-of-interest', 'asked-questions', 'high-schools'] as const

export function StatusScreen({ initial, email }: { initial: FeedReport; email: string }) {
  const t = useTranslations('admin.status')
  const locale = useLocale()
  const { data, dataUpdatedAt, isError } = useQuery({ ...reportQuery, initialData: initial })
  const now = useServerNow(data.at, dataUpdatedAt)
  const { health, count } = verdict(data.lists)
  const summary = (
    <p role="status" className="flex items-center gap-2 font-medium">
      <HealthMark health={health} />
      <span>{t(`verdict.${health}`, { count })}</span>
    </p>
  )
  return (
    <div className="page">
      <PageHeader title={t('title')} lead={t('lead')} action={summary} />
      {isError && <Banner>{t('cut', { time: clockTime(Date.parse(data.at), locale) })}</Banner>}
      {data.otherAddress && <OtherAddress report={data.otherAddress} now={now} />}
      <PurgeHolds />
      {data.signOn?.problem && <SignOnCard report={data.signOn} now={now} />}
      <BudgetCard budget={data.budget} />
      {LISTS.map((list) => (
        <ListCard key={list} list={list} report={data.lists[list]} now={now} />
      ))}
      {data.signOn?.problem === null && <SignOnCard report={data.signOn} now={now} />}
      <MailCard report={data.mail} email={email} />
      <p className="max-w-prose text-xs text-mute">{t('pace')}</p>
      <p className="max-w-prose text-xs text-mute">{t('documents')}</p>
    </div>
  )
}

/** The server's clock (ms), ticking: its time in the answer, and what has passed here since. */
function useServerNow(at: string, receivedAtMs: number): number {
  const now = useNow()
  return Date.parse(at) + (now === null ? 0 : Math.max(0, now - receivedAtMs))
}

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

const holdsQuery = { ...apiQuery('GET /api/purge-holds'), refetchInterval: 60_000, refetchOnWindowFocus: true }

/** A list that lacks many leads: what was added to them is deleted only once an administrator agrees. */
function PurgeHolds() {
  const { data } = useQuery(holdsQuery)
  return data?.holds.map((hold) => <HoldCard key={hold.list} hold={hold} />)
}

function HoldCard({ hold: { list, cause, since, before, now, missing } }: { hold: PurgeHold }) {
  const t = useTranslations('admin')
  const locale = useLocale()
  const format = useFormatter()
  const title = t('purge.title', { list: t(`status.list.${list}`) })
  const figures = { before: format.number(before), after: format.number(now), missing: format.number(missing) }
  return (
    <section aria-label={title} className="rounded-lg border border-line bg-warn p-4 text-warn-ink">
      <h2 className="flex items-center gap-2 text-base font-semibold">
        <TriangleAlert className="size-4.5 shrink-0" />
        <span className="min-w-0 wrap-anywhere">{title}</span>
      </h2>
      <p className="mt-1 max-w-prose text-sm">
        {t(`purge.what.${cause}`, { ...figures, since: fullTime(Date.parse(since), locale) })}{' '}
        {cause === 'shrunk' ? t('purge.why', { count: missing }) : t('purge.whyRenewed')}
      </p>
      <ConfirmButton
        text={t('purge.agree')}
        className="mt-3"
        ask={{
          title: t('purge.confirmTitle'),
          text: t('purge.confirmBody', { count: missing }),
          yes: t('purge.agree'),
          no: t('purge.wait'),
        }}
        saving={{
          send: () => api('POST /api/purge-holds', { body: { list } }),
          failed: t('purge.failed'),
          refresh: 'GET /api/purge-holds',
        }}
      />
    </section>
  )
}
