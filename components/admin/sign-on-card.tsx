import { useLocale, useTranslations } from 'next-intl'
import type { SignOnReport } from '@/lib/contract/single-sign-on'
import { dayAndTime, shortDuration, sinceTime } from '@/lib/time/format-time'
import { HealthCard } from './list-health'
import { Figure } from './status-figures'

/** The provider of single sign-on: whether it can be used, and why the last sign-in that failed did. */
export function SignOnCard({ report, now }: PartProps) {
  const t = useTranslations('admin.status.signOn')
  const health = report.problem ? 'failing' : report.checkedAt === null ? 'waiting' : 'healthy'
  return (
    <HealthCard id="sign-on" title={t('title', { name: report.name })} health={health} word={t(`health.${health}`)}>
      <Problem report={report} now={now} />
      <Figures report={report} now={now} />
    </HealthCard>
  )
}

type PartProps = { report: SignOnReport; now: number }

/** What is wrong now, what it means for people, and what to do. */
function Problem({ report: { problem }, now }: PartProps) {
  const t = useTranslations('admin.status.signOn')
  const locale = useLocale()
  if (problem === null) return null
  return (
    <div className="flex flex-col gap-2 rounded-md bg-danger-soft px-4 py-3 text-sm text-danger-ink">
      <p className="font-semibold">{t(`cause.${problem.cause}`)}</p>
      <p suppressHydrationWarning className="max-w-prose">
        {t('meanwhile')} {t('since', { time: sinceTime(Date.parse(problem.since), now, locale) })}
      </p>
      {problem.detail !== '' && (
        <p className="text-xs">
          {t('detail')}{' '}
          <code lang="en" className="font-mono break-words">
            {problem.detail}
          </code>
        </p>
      )}
    </div>
  )
}

/** Clocks that differ by more are told in red, for sign-ins fail by them. */
const CLOCK_MS = 10_000

function Figures({ report, now }: PartProps) {
  const t = useTranslations('admin.status.signOn')
  const locale = useLocale()
  const { issuer, checkedAt, clockAheadMs, lastSignInAt, lastFailure } = report
  const at = (moment: string | null) => (moment === null ? t('never') : dayAndTime(Date.parse(moment), now, locale))
  return (
    <dl className="grid content-start gap-x-6 gap-y-3.5 text-sm sm:grid-cols-2 desk:grid-cols-4">
      <Figure label={t('checked')}>{at(checkedAt)}</Figure>
      <Figure label={t('clock')}>
        <span className={clockAheadMs !== null && Math.abs(clockAheadMs) > CLOCK_MS ? 'text-danger' : undefined}>
          {clockWords(clockAheadMs)}
        </span>
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
  )

  function clockWords(ahead: number | null): string {
    if (ahead === null) return t('unknown')
    if (ahead === 0) return t('clockSame')
    return t(ahead > 0 ? 'clockAhead' : 'clockBehind', { time: shortDuration(Math.abs(ahead), locale) })
  }
}
