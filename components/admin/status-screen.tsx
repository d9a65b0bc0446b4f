'use client'

import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleDashed, CircleX, type LucideIcon, TriangleAlert } from 'lucide-react'
import { useFormatter, useLocale, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { useNow } from '@/components/app/clock'
import { useFeedStatus } from '@/components/app/feed-status'
import { toProblemKey } from '@/components/app/feed-summary'
import { ConfirmButton, useSave } from '@/components/app/save-form'
import { Button } from '@/components/ui/button'
import { Notice, OutdatedBanner } from '@/components/ui/notice'
import { api, apiQuery } from '@/lib/api/call'
import { hasStatus } from '@/lib/api/send'
import type { ListReport, MailReport, PurgeHold, ServiceReport, Status } from '@/lib/contract/feed-status'
import type { FeedList } from '@/lib/contract/lists'
import { formatClockTime, formatFullTime } from '@/lib/time/format-date'
import { formatDayAndTime, formatShortDuration, formatSince } from '@/lib/time/format-time'
import { AdminPage } from './admin-page'
import { findListHealth, findWorstHealth, type Health } from './list-health'

/** The status is live; the rest of the report dates from when the page was opened. */
export function StatusScreen({ report, email }: { report: ServiceReport; email: string }) {
  const t = useTranslations('admin.status')
  const locale = useLocale()
  const { data, dataUpdatedAt, isError } = useFeedStatus()
  const query = { ...apiQuery('GET /api/purge-holds'), refetchInterval: 60_000, refetchOnWindowFocus: true }
  const holds = useQuery(query).data?.holds
  const browserTime = useNow()
  const status = (browserTime !== null && data) || report.status
  // The server's time now is the one in its answer plus what has passed here since.
  const passedMs = browserTime === null || status !== data ? 0 : Math.max(0, browserTime - dataUpdatedAt)
  const now = Date.parse(status.now) + passedMs
  const { health, count } = findWorstHealth(status)
  const { signOn } = report
  return (
    <AdminPage
      title={t('title')}
      intro={t('lead')}
      action={
        <p role="status" className="flex items-center gap-2 font-medium">
          <HealthMark health={health} />
          <span>{t(`verdict.${health}`, { count })}</span>
        </p>
      }
    >
      {isError && <OutdatedBanner text={t('cut', { time: formatClockTime(Date.parse(status.now), locale) })} />}
      {holds?.map((hold) => (
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
              <Detail label={t('signOn.detail')} text={signOn.problem} />
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

/** Warns that a list has lost many leads. What staff added to those leads is deleted only after an administrator agrees. */
function PurgeHoldCard({ hold: { list, cause, since, before, now, missing } }: { hold: PurgeHold }) {
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
        {t(`purge.what.${cause}`, { ...figures, since: formatFullTime(Date.parse(since), locale) })}{' '}
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
        saving={{
          send: () => api('POST /api/purge-holds', { body: { list } }),
          invalidate: 'GET /api/purge-holds',
        }}
      />
    </section>
  )
}

function MailCard({ report, email }: { report: MailReport | null; email: string }) {
  const t = useTranslations('admin.status.mail')
  const reasons = useTranslations('mail.failed')
  const { save, busy, answer, error } = useSave({
    send: () => api('POST /api/status/mail'),
    failureMessage: () => null,
  })
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
            {answer !== undefined && answer.outcome !== 'sent' && (
              <Notice>
                {reasons(answer.outcome)}
                <Detail label={t('detail')} text={answer.detail} />
              </Notice>
            )}
          </div>
        </div>
      )}
    </HealthCard>
  )
}

type ListCardProps = { list: FeedList; status: Status; report: ListReport; now: number }

function ListCard(props: ListCardProps) {
  const { list, status, report, now } = props
  const t = useTranslations('admin.status')
  const format = useFormatter()
  const locale = useLocale()
  const health = findListHealth(status, list)
  const { fetchedAt = null, nextAt = null } = status.lists[list] ?? {}
  const { total, records } = report.setAside
  const unknown = <span className="font-normal text-faint">{t('figure.unknown')}</span>
  const duration = (ms: number) => formatShortDuration(ms, locale)
  const nextMs = nextAt === null ? null : Date.parse(nextAt) - now
  return (
    <HealthCard id={list} title={t(`list.${list}`)} health={health} healthText={t(`health.${health}`)}>
      <ListProblem {...props} />
      <dl className="grid content-start gap-x-6 gap-y-3.5 text-sm min-[18rem]:grid-cols-2 sm:grid-cols-3">
        <Figure label={t('figure.age')}>{fetchedAt ? duration(now - Date.parse(fetchedAt)) : unknown}</Figure>
        <Figure label={t('figure.next')}>
          {nextMs === null && unknown}
          {nextMs !== null && (nextMs < 1000 ? t('figure.now') : t('figure.inTime', { time: duration(nextMs) }))}
        </Figure>
        <Figure label={t('figure.records')}>{report.records === null ? unknown : format.number(report.records)}</Figure>
      </dl>
      {total > 0 && (
        <div className="border-t border-line-soft pt-3">
          <h3 className="flex items-center gap-2 text-sm font-medium">
            {t('setAside.title')}
            <span className="tabular rounded-sm bg-warn px-1.5 text-xs text-warn-ink">{total}</span>
          </h3>
          <p className="max-w-prose text-sm text-mute">
            {t('setAside.hint')} {records.length < total && t('setAside.shown', { shown: records.length, total })}
          </p>
          <ul
            aria-label={t('setAside.listOf', { list: t(`list.${list}`) })}
            tabIndex={0}
            className="mt-2 max-h-72 scroll-thin overflow-y-auto rounded-md border border-line text-xs"
          >
            {records.map(({ index, id, reason }) => (
              <li key={index} className="flex flex-wrap gap-x-3 border-b border-line-soft px-3 py-1.5 last:border-b-0">
                <span className="tabular w-8 text-mute">{index}</span>
                <code className="break-all">{id ?? t('setAside.noId')}</code>
                <span lang="en">{reason}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </HealthCard>
  )
}

function ListProblem({ list, status, report, now }: ListCardProps) {
  const t = useTranslations('admin.status.problem')
  const statusText = useTranslations('status')
  const locale = useLocale()
  const problem = status.problems.find((each) => each.list === list)
  if (problem === undefined) return null
  const name = toProblemKey(problem)
  const fetchedAt = status.lists[list]?.fetchedAt
  const waitMs = problem.retryAt === null ? 0 : Date.parse(problem.retryAt) - now
  const since = formatSince(Date.parse(problem.since), now, locale)
  const retry = waitMs < 1000 ? t('retryNow') : t('retryIn', { time: formatShortDuration(waitMs, locale) })
  const kept = fetchedAt ? t('kept', { time: formatDayAndTime(Date.parse(fetchedAt), now, locale) }) : t('nothingKept')
  return (
    // The times differ between server and browser, hence `suppressHydrationWarning`.
    <Notice tone={problem.isHeldBack ? 'warn' : 'danger'} className="tabular flex flex-col gap-2 [&>p]:max-w-prose">
      <p className="font-semibold">{statusText(`problem.${name}`)}</p>
      <p suppressHydrationWarning>{`${t(`${name}.what`)} ${statusText('since', { since })}`}</p>
      <p>{t('todo', { todo: t(`${name}.todo`) })}</p>
      <p suppressHydrationWarning>{`${retry} ${kept}`}</p>
      <Detail label={t('detail')} text={report.problem?.detail ?? ''} />
    </Notice>
  )
}

const healthIcons: Record<Health, { Icon: LucideIcon; colour: string }> = {
  failing: { Icon: CircleX, colour: 'text-danger' },
  heldBack: { Icon: TriangleAlert, colour: 'text-status-progress' },
  waiting: { Icon: CircleDashed, colour: 'text-status-dismissed' },
  setAside: { Icon: TriangleAlert, colour: 'text-status-progress' },
  healthy: { Icon: CircleCheck, colour: 'text-status-handled' },
}

function HealthMark({ health }: { health: Health }) {
  const { Icon, colour } = healthIcons[health]
  return <Icon strokeWidth={2} className={`size-4.5 shrink-0 ${colour}`} />
}

type HealthCardProps = { id: string; title: string; health: Health; healthText: string; children: ReactNode }

function HealthCard({ id, title, health, healthText, children }: HealthCardProps) {
  return (
    <section aria-labelledby={id} className="card flex flex-col gap-4 p-4 desk:px-5">
      <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
        <h2 id={id} className="text-base font-semibold">
          {title}
        </h2>
        <p className="flex items-center gap-1.5 text-sm text-mute">
          <HealthMark health={health} />
          <span>{healthText}</span>
        </p>
      </header>
      {children}
    </section>
  )
}

function Detail({ label, text }: { label: string; text: string }) {
  if (text === '') return null
  return (
    <p className="text-xs">
      {label}{' '}
      <code lang="en" className="font-mono break-words">
        {text}
      </code>
    </p>
  )
}

/** Server and browser may write a unit differently, hence `suppressHydrationWarning`. */
function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col">
      <dt className="text-xs text-mute">{label}</dt>
      <dd suppressHydrationWarning className="tabular font-medium">
        {children}
      </dd>
    </div>
  )
}
