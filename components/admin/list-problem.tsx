import { useLocale, useTranslations } from 'next-intl'
import type { ListReport } from '@/lib/contract/feed-report'
import { dayAndTime, shortDuration, sinceTime } from '@/lib/time/format-time'

/** What is wrong, since when, what to do and what happens next. Nothing while all is well. */
export function ListProblem({ report: { problem, fetchedAt, nextAt }, now }: { report: ListReport; now: number }) {
  const t = useTranslations('admin.status.problem')
  const locale = useLocale()
  if (problem === null) return null
  const { kind, since, detail } = problem
  const retryInMs = nextAt === null ? 0 : Date.parse(nextAt) - now
  return (
    <div className="flex flex-col gap-2 rounded-md bg-danger-soft px-4 py-3 text-sm text-danger-ink">
      <p className="font-semibold">{t(`${kind}.title`)}</p>
      <p suppressHydrationWarning className="max-w-prose">
        {t(`${kind}.what`)} {t('since', { time: sinceTime(Date.parse(since), now, locale) })}
      </p>
      <p className="max-w-prose">
        <strong className="font-semibold">{t('todoLabel')}:</strong> {t(`${kind}.todo`)}
      </p>
      <p suppressHydrationWarning className="tabular max-w-prose">
        {retryInMs < 1000 ? t('retryNow') : t('retryIn', { time: shortDuration(retryInMs, locale) })}{' '}
        {fetchedAt === null ? t('nothingKept') : t('kept', { time: dayAndTime(Date.parse(fetchedAt), now, locale) })}
      </p>
      <p className="text-xs">
        {t('detail')}{' '}
        <code lang="en" className="font-mono break-words">
          {detail}
        </code>
      </p>
    </div>
  )
}
