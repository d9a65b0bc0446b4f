'use client'

import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { useFormatter, useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import { useNow } from '@/components/browser/clock'
import { hasStatus, useConfirmed, useSave } from '@/components/desk/save'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { ConfirmDialog } from '@/components/ui/dialog'
import { Banner, Notice } from '@/components/ui/notice'
import { PageHeader } from '@/components/ui/headings'
import { api, apiQuery } from '@/lib/api/call'
import type {
  FeedReport,
  MailReport,
  MailTestAnswer,
  OtherAddressReport,
  PurgeHold,
  SignOnReport,
} from '@/lib/contract/feed-status'
import { clockTime, fullTime } from '@/lib/time/format-date'
import { dayAndTime, shortDuration, sinceTime } from '@/lib/time/format-time'
import { ListCard } from './list-card'
import { Detail, Figure, HealthCard, HealthMark, ProblemBox, verdict } from './status-parts'

const reportQuery = { ...apiQuery('GET /api/feed-report'), refetchInterval: 5_000, refetchOnWindowFocus: true }
const order = ['declarations-of-interest', 'asked-questions', 'high-schools'] as const

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

function PurgeHolds() {
  const { data } = useQuery(holdsQuery)
  return data?.holds.map((hold) => <HoldCard key={hold.list} hold={hold} />)
}

function HoldCard({ hold: { list, since, before, now } }: { hold: PurgeHold }) {
  const t = useTranslations('admin')
  const locale = useLocale()
  const format = useFormatter()
  const [isAsking, setAsking] = useState(false)
  const title = t('purge.title', { list: t(`status.list.${list}`) })
  const figures = { before: format.number(before), after: format.number(now) }
  return (
    <section aria-label={title} className="rounded-lg border border-line bg-warn p-4 text-warn-ink">
      <h2 className="flex items-center gap-2 text-base font-semibold">
        <TriangleAlert aria-hidden className="size-4.5 shrink-0" />
        <span className="min-w-0 wrap-anywhere">{title}</span>
      </h2>
      <p className="mt-1 max-w-prose text-sm">
        {t('purge.what', { ...figures, since: fullTime(Date.parse(since), locale) })}{' '}
        {t('purge.why', { count: before - now })}
      </p>
      <Button className="mt-3" onClick={() => setAsking(true)}>
        {t('purge.agree')}
      </Button>
      {isAsking && <AgreeDialog list={list} count={before - now} onClose={() => setAsking(false)} />}
    </section>
  )
}

function AgreeDialog({ list, count, onClose }: Pick<PurgeHold, 'list'> & { count: number; onClose: () => void }) {
  const t = useTranslations('admin.purge')
  const agreeing = useConfirmed({
    send: () => api('POST /api/purge-holds', { body: { list } }),
    failed: t('failed'),
    refresh: 'GET /api/purge-holds',
    onSaved: onClose,
  })
  const words = { title: t('confirmTitle'), text: t('confirmBody', { count }), yes: t('agree'), no: t('wait') }
  return <ConfirmDialog {...words} {...agreeing} onNo={onClose} />
}

/** Clocks that differ by more are shown in red, because sign-ins fail by them. */
const CLOCK_MS = 10_000

function SignOnCard({ report, now }: { report: SignOnReport; now: number }) {
  const t = useTranslations('admin.status.signOn')
  const locale = useLocale()
  const { problem, issuer, checkedAt, clockAheadMs, lastSignInAt, lastFailure } = report
  const at = (moment: string | null) => (moment === null ? t('never') : dayAndTime(Date.parse(moment), now, locale))
  const health = problem ? 'failing' : checkedAt === null ? 'waiting' : 'healthy'
  const isClockWrong = clockAheadMs !== null && Math.abs(clockAheadMs) > CLOCK_MS
  return (
    <HealthCard id="sign-on" title={t('title', { name: report.name })} health={health} word={t(`health.${health}`)}>
      {problem !== null && (
        <ProblemBox title={t(`cause.${problem.cause}`)}>
          <p suppressHydrationWarning>
            {t('meanwhile')} {t('since', { time: sinceTime(Date.parse(problem.since), now, locale) })}
          </p>
          <Detail label={t('detail')} text={problem.detail} />
        </ProblemBox>
      )}
      <dl className="grid content-start gap-x-6 gap-y-3.5 text-sm sm:grid-cols-2 desk:grid-cols-4">
        <Figure label={t('checked')}>{at(checkedAt)}</Figure>
        <Figure label={t('clock')}>
          <span className={isClockWrong ? 'text-danger' : undefined}>{clockWords(clockAheadMs)}</span>
        </Figure>
        <Figure label={t('lastSignIn')}>{at(lastSignInAt)}</Figure>
        <Figure label={t('issuer')}>
          <span lang="en" className="break-all">
            {issuer}
          </span>
        </Figure>
        {lastFailure !== null && (
          <div className="sm:col-span-2 desk:col-span-4">
            <dt className="text-xs text-mute">{t('lastFailure')}</dt>
            <dd suppressHydrationWarning className="max-w-prose">
              <span className="font-medium">{t(`cause.${lastFailure.cause}`)}</span>{' '}
              <span className="text-mute">{t('failedAt', { time: at(lastFailure.at), code: lastFailure.code })}</span>
            </dd>
          </div>
        )}
      </dl>
    </HealthCard>
  )

  function clockWords(ahead: number | null): string {
    if (ahead === null) return t('unknown')
    if (ahead === 0) return t('clockSame')
    return t(ahead > 0 ? 'clockAhead' : 'clockBehind', { time: shortDuration(Math.abs(ahead), locale) })
  }
}

type MailCardProps = { report: MailReport | null; email: string }

function MailCard({ report, email }: MailCardProps) {
  const t = useTranslations('admin.status.mail')
  if (report === null) {
    return (
      <HealthCard id="mail" title={t('title')} health="waiting" word={t('notSetUp')}>
        <p className="max-w-prose text-sm text-pretty text-mute">{t('missing')}</p>
      </HealthCard>
    )
  }
  return (
    <HealthCard id="mail" title={t('title')} health="healthy" word={t('ready')}>
      <p className="max-w-prose text-sm text-pretty text-mute">{t('body')}</p>
      <dl className="grid content-start gap-x-6 gap-y-3.5 text-sm sm:grid-cols-3">
        <Figure label={t('server')}>
          <span className="break-all">{report.server}</span>
        </Figure>
        <Figure label={t('from')}>
          <span className="break-words">{report.from}</span>
        </Figure>
        <Figure label={t('tls')}>{t(`tlsOf.${report.tls}`)}</Figure>
      </dl>
      <TestMessage email={email} />
    </HealthCard>
  )
}

function TestMessage({ email }: Pick<MailCardProps, 'email'>) {
  const t = useTranslations('admin.status.mail')
  const { save, busy, answer, error } = useSave({ send: () => api('POST /api/status/mail'), failed: () => null })
  return (
    <div className="flex flex-col items-start gap-3">
      <Button busy={busy} onClick={() => save()}>
        {t(busy ? 'sending' : 'send')}
      </Button>
      <div role="status" className="w-full empty:hidden">
        {error !== null && <Notice>{t(hasStatus(error, 429) ? 'busy' : 'failed')}</Notice>}
        {answer !== undefined && <Outcome answer={answer} email={email} />}
      </div>
    </div>
  )
}

function Outcome({ answer: { outcome, detail }, email }: { answer: MailTestAnswer; email: string }) {
  const t = useTranslations('admin.status.mail')
  const mail = useTranslations('mail')
  if (outcome === 'sent') return <Notice tone="plain">{t('sent', { address: email })}</Notice>
  return (
    <Notice>
      {mail(`failed.${outcome}`)}
      <Detail label={t('detail')} text={detail} />
    </Notice>
  )
}
