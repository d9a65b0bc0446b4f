import { useFormatter, useLocale, useTranslations } from 'next-intl'
import type { ListReport } from '@/lib/contract/feed-report'
import { shortDuration } from '@/lib/time/format-time'
import { Figure } from './figure'
import { dataSize, hourlyRate, preciseDuration } from './measures'

/** How old, how large, how lively. A rate is told of lists that have one. */
export function ListFigures({ report, now }: { report: ListReport; now: number }) {
  const t = useTranslations('admin.status.figure')
  const format = useFormatter()
  const locale = useLocale()
  const { fetchedAt, nextAt, intervalMs, records, bytes, arrivalsPerHour, version } = report
  const nextInMs = nextAt === null ? null : Date.parse(nextAt) - now
  const known = <T,>(value: T | null, text: (value: T) => string) => (value === null ? <Unknown /> : text(value))
  return (
    <dl className="grid grid-cols-2 content-start gap-x-6 gap-y-3.5 text-sm sm:grid-cols-3">
      <Figure label={t('age')}>{known(fetchedAt, (at) => shortDuration(now - Date.parse(at), locale))}</Figure>
      <Figure label={t('next')}>
        {known(nextInMs, (ms) => (ms < 1000 ? t('now') : t('inTime', { time: shortDuration(ms, locale) })))}
      </Figure>
      <Figure label={t('interval')}>{known(intervalMs, (ms) => preciseDuration(ms, locale))}</Figure>
      <Figure label={t('records')}>{known(records, (count) => format.number(count))}</Figure>
      <Figure label={t('size')}>{known(bytes, (count) => dataSize(count, locale))}</Figure>
      {arrivalsPerHour !== null && <Figure label={t('arrivals')}>{hourlyRate(arrivalsPerHour, locale)}</Figure>}
      <Figure label={t('version')}>{version === 0 ? <Unknown /> : String(version)}</Figure>
    </dl>
  )
}

function Unknown() {
  const t = useTranslations('admin.status.figure')
  return <span className="font-normal text-faint">{t('unknown')}</span>
}
