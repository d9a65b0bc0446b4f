'use client'

import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import Link from 'next/link'
import { useFormatter, useLocale, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { useIsHydrated } from '@/components/browser/browser-tab'
import { useNow } from '@/components/browser/clock'
import { useStatus } from '@/components/desk/feed-status'
import { ConfirmButton } from '@/components/desk/save'
import { OutdatedBanner } from '@/components/ui/notice'
import { PageHeader } from '@/components/ui/headings'
import { api, apiQuery } from '@/lib/api/call'
import type { PurgeHold, ServiceReport, Status } from '@/lib/contract/feed-status'
import { clockTime, fullTime } from '@/lib/time/format-date'
import { MailCard, SignOnCard } from './connection-cards'
import { ListCard } from './list-card'
import { HealthMark, verdict } from './status-parts'

const LISTS = ['declarations-of-interest', 'asked-questions', 'high-schools'] as const

/** The status is live; the rest of the report is of when the page was opened. */
export function StatusScreen({ report, email }: { report: ServiceReport; email: string }) {
  const t = useTranslations('admin.status')
  const locale = useLocale()
  const { data, dataUpdatedAt, isError } = useStatus()
  const isHydrated = useIsHydrated()
  const status = (isHydrated && data) || report.status
  const now = useServerNow(status.now, status === data ? dataUpdatedAt : null)
  const { health, count } = verdict(status)
  const { signOn, mail } = report
  const summary = (
    <p role="status" className="flex items-center gap-2 font-medium">
      <HealthMark health={health} />
      <span>{t(`verdict.${health}`, { count })}</span>
    </p>
  )
  return (
    <div className="page">
      <PageHeader title={t('title')} lead={t('lead')} action={summary} />
      {isError && <OutdatedBanner text={t('cut', { time: clockTime(Date.parse(status.now), locale) })} />}
      <PurgeHolds />
      {signOn?.problem && <SignOnCard report={signOn} />}
      <BudgetCard budget={status.budget} />
      {LISTS.map((list) => (
        <ListCard key={list} list={list} status={status} report={report.lists[list]} now={now} />
      ))}
      {signOn?.problem === null && <SignOnCard report={signOn} />}
      <MailCard report={mail} email={email} />
      <p className="max-w-prose text-xs text-mute">{t('pace')}</p>
      <p className="max-w-prose text-xs text-mute">{t.rich('documents', { help: helpLink })}</p>
    </div>
  )
}

const helpLink = (text: ReactNode) => (
  <Link href="/help" className="text-accent underline underline-offset-2">
    {text}
  </Link>
)

/** The server's clock (ms), ticking: its time in the answer, and what has passed here since. */
function useServerNow(at: string, receivedAtMs: number | null): number {
  const now = useNow()
  return Date.parse(at) + (now === null || receivedAtMs === null ? 0 : Math.max(0, now - receivedAtMs))
}

function BudgetCard({ budget: { spentThisHour, perHour } }: Pick<Status, 'budget'>) {
  const t = useTranslations('admin.status.budget')
  return (
    <section aria-labelledby="budget" className="rounded-lg border border-line bg-panel p-4 shadow-card desk:px-5">
      <h2 id="budget" className="text-sm font-semibold">
        {t('title')}
      </h2>
      <strong className="tabular mt-1 block text-xl font-semibold">
        {t('spent', { spent: spentThisHour, limit: perHour })}
      </strong>
      <p className="text-xs text-mute">{t('hint')}</p>
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
          refresh: 'GET /api/purge-holds',
        }}
      />
    </section>
  )
}
