import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { useFormatter, useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import { hasStatus, useConfirmed, useSave } from '@/components/desk/save'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/dialog-frame'
import { Notice } from '@/components/ui/notice'
import { api, apiQuery } from '@/lib/api/call'
import type { PurgeHold, MailReport, MailTestAnswer, SignOnReport } from '@/lib/contract/feed-status'
import { fullTime } from '@/lib/time/format-date'
import { dayAndTime, shortDuration, sinceTime } from '@/lib/time/format-time'
import { Detail, Figure, HealthCard, ProblemBox } from './status-parts'

const holdsQuery = { ...apiQuery('GET /api/purge-holds'), refetchInterval: 60_000, refetchOnWindowFocus: true }

/** Lists that shrank so much at once that nothing is purged until an administrator agrees. */
export function PurgeHolds() {
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

type AgreeDialogProps = Pick<PurgeHold, 'list'> & { count: number; onClose: () => void }

function AgreeDialog({ list, count, onClose }: AgreeDialogProps) {
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

export function SignOnCard({ report, now }: { report: SignOnReport; now: number }) {
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

export function MailCard({ report, email }: MailCardProps) {
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
