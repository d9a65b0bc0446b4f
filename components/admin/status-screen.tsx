'use client'

import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { useFormatter, useLocale, useTranslations } from 'next-intl'
import { useIsHydrated } from '@/components/ui/browser-tab'
import { useNow } from '@/components/app/clock'
import { useStatus } from '@/components/app/feed-status'
import { ConfirmButton, useSave } from '@/components/app/save'
import { Button } from '@/components/ui/button'
import { Notice, OutdatedBanner } from '@/components/ui/notice'
import { api, apiQuery } from '@/lib/api/call'
import { hasStatus } from '@/lib/api/send'
import type { ListReport, MailReport, PurgeHold, ServiceReport, Status } from '@/lib/contract/feed-status'
import type { FeedList } from '@/lib/contract/lists'
import { clockTime, fullTime } from '@/lib/time/format-date'
import { dayAndTime, shortDuration, sinceTime } from '@/lib/time/format-time'
import { AdminPage } from './admin-page'
import { Detail, Figure, HealthCard, HealthMark, listHealth, ProblemBox, verdict } from './status-parts'

const LISTS = ['declarations-of-interest', 'asked-questions', 'high-schools'] as const

/** The status is live; the rest of the report is of when the page was opened. */
export function StatusScreen({ report, email }: { report: ServiceReport; email: string }) {
  const t = useTranslations('admin.status')
  const locale = useLocale()
  const { data, dataUpdatedAt, isError } = useStatus()
  const holds = useQuery(holdsQuery).data?.holds
  const isHydrated = useIsHydrated()
  const status = (isHydrated && data) || report.status
  // The server's clock is its time in the answer and what has passed here since.
  const here = useNow()
  const passedMs = here === null || status !== data ? 0 : Math.max(0, here - dataUpdatedAt)
  const now = Date.parse(status.now) + passedMs
  const { health, count } = verdict(status)
  const { signOn, mail } = report
  const summary = (
    <p role="status" className="flex items-center gap-2 font-medium">
      <HealthMark health={health} />
      <span>{t(`verdict.${health}`, { count })}</span>
    </p>
  )
  return (
    <AdminPage title={t('title')} lead={t('lead')} action={summary}>
      {isError && <OutdatedBanner text={t('cut', { time: clockTime(Date.parse(status.now), locale) })} />}
      {holds?.map((hold) => (
        <HoldCard key={hold.list} hold={hold} />
      ))}
      {signOn !== null && (
        <HealthCard
          id="sign-on"
          title={t('signOn.title', { name: signOn.name })}
          health={signOn.problem === null ? 'healthy' : 'failing'}
          word={t(signOn.problem === null ? 'signOn.works' : 'signOn.fails')}
        >
          {signOn.problem !== null && (
            <ProblemBox title={t('signOn.meanwhile')}>
              <Detail label={t('signOn.detail')} text={signOn.problem} />
            </ProblemBox>
          )}
        </HealthCard>
      )}
      <section aria-labelledby="budget" className="rounded-lg border border-line bg-panel p-4 shadow-card desk:px-5">
        <h2 id="budget" className="text-sm font-semibold">
          {t('budget.title')}
        </h2>
        <strong className="tabular mt-1 block text-xl font-semibold">
          {t('budget.spent', { spent: status.budget.spentThisHour, limit: status.budget.perHour })}
        </strong>
        <p className="text-xs text-mute">{t('budget.hint')}</p>
      </section>
      {LISTS.map((list) => (
        <ListCard key={list} list={list} status={status} report={report.lists[list]} now={now} />
      ))}
      <MailCard report={mail} email={email} />
      <p className="max-w-prose text-xs text-mute">{t('pace')}</p>
      <p className="max-w-prose text-xs text-mute">{t('documents')}</p>
    </AdminPage>
  )
}

const holdsQuery = { ...apiQuery('GET /api/purge-holds'), refetchInterval: 60_000, refetchOnWindowFocus: true }

/** A list that lacks many leads: what was added to them is deleted only once an administrator agrees. */
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

function MailCard({ report, email }: { report: MailReport | null; email: string }) {
  const t = useTranslations('admin.status.mail')
  const reasons = useTranslations('mail')
  const { save, busy, answer, error } = useSave({ send: () => api('POST /api/status/mail'), failed: () => null })
  if (report === null) {
    return (
      <HealthCard id="mail" title={t('title')} health="waiting" word={t('notSetUp')}>
        <p className="max-w-prose text-sm text-pretty text-mute">{t('missing')}</p>
      </HealthCard>
    )
  }
  return (
    <HealthCard id="mail" title={t('title')} health="healthy" word={t('ready')}>
      <p className="max-w-prose text-sm text-pretty wrap-anywhere text-mute">
        {t('route', { server: report.server, from: report.from })} {t(`tlsOf.${report.tls}`)} {t('body')}
      </p>
      <div className="flex flex-col items-start gap-3">
        <Button text={t(busy ? 'sending' : 'send')} busy={busy} onClick={() => save()} />
        <div role="status" className="w-full empty:hidden">
          {error !== null && <Notice>{t(hasStatus(error, 429) ? 'busy' : 'failed')}</Notice>}
          {answer?.outcome === 'sent' && <Notice tone="plain">{t('sent', { address: email })}</Notice>}
          {answer !== undefined && answer.outcome !== 'sent' && (
            <Notice>
              {reasons(`failed.${answer.outcome}`)}
              <Detail label={t('detail')} text={answer.detail} />
            </Notice>
          )}
        </div>
      </div>
    </HealthCard>
  )
}

type ListCardProps = { list: FeedList; status: Status; report: ListReport; now: number }

function ListCard(props: ListCardProps) {
  const { list, status, report, now } = props
  const t = useTranslations('admin.status')
  const format = useFormatter()
  const locale = useLocale()
  const health = listHealth(status, list)
  const { fetchedAt = null, nextAt = null } = status.lists[list] ?? {}
  const { total, records } = report.setAside
  const unknown = <span className="font-normal text-faint">{t('figure.unknown')}</span>
  const duration = (ms: number) => shortDuration(ms, locale)
  const nextMs = nextAt === null ? null : Date.parse(nextAt) - now
  return (
    <HealthCard id={list} title={t(`list.${list}`)} health={health} word={t(`health.${health}`)}>
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
                {id === null ? (
                  <span className="text-faint">{t('setAside.noId')}</span>
                ) : (
                  <code className="break-all">{id}</code>
                )}
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
  const t = useTranslations('admin.status')
  const words = useTranslations('status')
  const locale = useLocale()
  const format = useFormatter()
  const problem = status.problems.find((each) => each.list === list)
  if (problem === undefined) return null
  const { since, retryAt, isHeldBack, kind, at } = problem
  const { detail = '', doubt } = report.problem ?? {}
  const fetchedAt = status.lists[list]?.fetchedAt
  const retryInMs = retryAt === null ? 0 : Date.parse(retryAt) - now
  const retry =
    retryInMs < 1000 ? t('problem.retryNow') : t('problem.retryIn', { time: shortDuration(retryInMs, locale) })
  const kept = fetchedAt && t('problem.kept', { time: dayAndTime(Date.parse(fetchedAt), now, locale) })
  if (isHeldBack) {
    const sizes = doubt && { before: format.number(doubt.before), now: format.number(doubt.now) }
    const what = [sizes && t('heldBack.what', sizes), kept]
    const next = [doubt && t('heldBack.answers', { count: doubt.answers }), retry]
    return <ProblemBox isMild title={t('heldBack.title')} lines={[what, [t('heldBack.why')], next]} />
  }
  const name = at ?? kind
  const what = [t(`problem.${name}.what`), words('since', { since: sinceTime(Date.parse(since), now, locale) })]
  const lines = [
    what,
    [t('problem.todo', { todo: t(`problem.${name}.todo`) })],
    [retry, kept ?? t('problem.nothingKept')],
  ]
  return (
    <ProblemBox title={words(`problem.${name}`)} lines={lines}>
      <Detail label={t('problem.detail')} text={detail} />
    </ProblemBox>
  )
}
