'use client'

import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { useNow } from '@/components/app/clock'
import { ConfirmButton } from '@/components/app/confirm-button'
import { useFeedStatus } from '@/components/app/feed-status'
import { useSaveMutation } from '@/components/app/use-save'
import { Button } from '@/components/ui/button'
import { Notice, OutdatedBanner } from '@/components/ui/notice'
import { api, apiQuery } from '@/lib/api/call'
import { hasStatus } from '@/lib/api/send'
import type { PurgeHold } from '@/lib/contract/feed-status'
import type { MailReport, ServiceReport } from '@/lib/contract/service-report'
import { MINUTE_MS } from '@/lib/time/durations'
import { formatFullTime } from '@/lib/time/format-date'
import { AdminPage } from './admin-page'
import { TechnicalDetail, HealthCard, HealthMark } from './health-card'
import { ListCard } from './list-card'
import { findWorstHealth } from './list-health'

/** Status and purge holds are refreshed; the rest of the report dates from when the page was opened. */
export function StatusScreen({ report, email }: { report: ServiceReport; email: string }) {
  const t = useTranslations('admin.status')
  const locale = useLocale()
  const { data, dataUpdatedAt, isError } = useFeedStatus()
  const holdsQuery = useQuery({
    ...apiQuery('GET /api/purge-holds'),
    refetchInterval: MINUTE_MS,
    refetchOnWindowFocus: true,
  })
  const browserTime = useNow()
  // Until hydration the server's report stands, so that both draw the same text.
  const isHydrated = browserTime !== null && data !== undefined
  const status = isHydrated ? data : report.status
  // Ages are by the server's clock, because the browser's may be minutes off.
  const now = Date.parse(status.now) + (isHydrated ? browserTime - dataUpdatedAt : 0)
  const { health, count } = findWorstHealth(status)
  const { signOn } = report
  return (
    <AdminPage
      title={t('title')}
      intro={t('intro')}
      action={
        <p role="status" className="flex items-center gap-2 font-medium">
          <HealthMark health={health} />
          <span>{t(`verdict.${health}`, { count })}</span>
        </p>
      }
    >
      {isError && <OutdatedBanner text={t('cut', { time: formatFullTime(Date.parse(status.now), locale) })} />}
      {!isError && holdsQuery.isError && <OutdatedBanner />}
      {holdsQuery.data?.holds.map((hold) => (
        <PurgeHoldCard key={hold.list} hold={hold} />
      ))}
      {signOn !== null && (
        <HealthCard
          id="sign-on"
          title={t('signOn.title', { name: signOn.name })}
          health={signOn.problem === null ? 'healthy' : 'failing'}
          healthText={t(signOn.problem === null ? 'signOn.works' : 'signOn.fails')}
        >
          {signOn.problem !== null && (
            <Notice tone="danger" className="flex flex-col gap-2">
              <p className="font-semibold">{t('signOn.meanwhile')}</p>
              <TechnicalDetail label={t('signOn.detail')} text={signOn.problem} />
            </Notice>
          )}
        </HealthCard>
      )}
      <section aria-labelledby="budget" className="card p-4 desk:px-5">
        <h2 id="budget" className="text-sm font-semibold">
          {t('budget.title')}
        </h2>
        <strong className="tabular mt-1 block text-xl font-semibold">
          {t('budget.spent', { spent: status.budget.spentThisHour, limit: status.budget.perHour })}
        </strong>
        <p className="text-xs text-mute">{t('budget.hint')}</p>
      </section>
      {(['declarations-of-interest', 'asked-questions', 'high-schools'] as const).map((list) => (
        <ListCard key={list} list={list} status={status} report={report.lists[list]} now={now} />
      ))}
      <MailCard report={report.mail} email={email} />
      <p className="max-w-prose text-xs text-mute">{t('pace')}</p>
      <p className="max-w-prose text-xs text-mute">{t('documents')}</p>
    </AdminPage>
  )
}

/** Warns that a list has lost many leads. What staff added to them is deleted only once an administrator agrees. */
function PurgeHoldCard({ hold }: { hold: PurgeHold }) {
  const { list, cause, since, before, now: after, missing } = hold
  const t = useTranslations('admin')
  const locale = useLocale()
  const title = t('purge.title', { list: t(`status.list.${list}`) })
  return (
    <section aria-label={title} className="rounded-lg border border-line bg-warn p-4 text-warn-ink">
      <h2 className="flex items-center gap-2 text-base font-semibold">
        <TriangleAlert className="size-4.5 shrink-0" />
        <span className="min-w-0 wrap-anywhere">{title}</span>
      </h2>
      <p className="mt-1 max-w-prose text-sm">
        {t(`purge.what.${cause}`, { before, after, missing, since: formatFullTime(Date.parse(since), locale) })}{' '}
        {cause === 'shrunk' ? t('purge.why', { count: missing }) : t('purge.whyRenewed')}
      </p>
      <ConfirmButton
        text={t('purge.agree')}
        className="mt-3"
        texts={{
          title: t('purge.confirmTitle'),
          text: t('purge.confirmBody', { count: missing }),
          yes: t('purge.agree'),
          no: t('purge.wait'),
        }}
        saving={{ send: () => api('POST /api/purge-holds', { body: { list } }), invalidate: 'GET /api/purge-holds' }}
      />
    </section>
  )
}

function MailCard({ report, email }: { report: MailReport | null; email: string }) {
  const t = useTranslations('admin.status.mail')
  const tFailed = useTranslations('mail.failed')
  const { save, busy, answer, error } = useSaveMutation({ send: () => api('POST /api/status/mail') })
  return (
    <HealthCard
      id="mail"
      title={t('title')}
      health={report ? 'healthy' : 'waiting'}
      healthText={t(report ? 'ready' : 'notSetUp')}
    >
      <p className="max-w-prose text-sm text-pretty wrap-anywhere text-mute">
        {report
          ? `${t('route', { server: report.server, from: report.sender })} ${t(`tlsOf.${report.tls}`)} ${t('body')}`
          : t('missing')}
      </p>
      {report && (
        <div className="flex flex-col items-start gap-3">
          <Button text={t(busy ? 'sending' : 'send')} busy={busy} onClick={() => save()} />
          <div role="status" className="w-full empty:hidden">
            {error !== null && <Notice>{t(hasStatus(error, 429) ? 'busy' : 'failed')}</Notice>}
            {answer?.outcome === 'sent' && <Notice tone="plain">{t('sent', { address: email })}</Notice>}
            {answer && answer.outcome !== 'sent' && (
              <Notice>
                {tFailed(answer.outcome)}
                <TechnicalDetail label={t('detail')} text={answer.detail} />
              </Notice>
            )}
          </div>
        </div>
      )}
    </HealthCard>
  )
}
