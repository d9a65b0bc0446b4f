import { useQuery } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'next-intl'
import { useId } from 'react'
import { useToday } from '@/components/browser/clock'
import { useIsLive } from '@/components/browser/live'
import { useNothingYet, useStatus } from '@/components/desk/feed-status'
import { NothingYet } from '@/components/desk/nothing-yet'
import { Badge } from '@/components/ui/badge'
import { schoolCounts } from '@/lib/api/queries'
import type { HighSchool, LeadList } from '@/lib/contract/lead'
import { FEED_LISTS, LEAD_LISTS } from '@/lib/contract/lists'
import { dayAndTime } from '@/lib/time/format-time'

type ConnectedToProps = { host: string | null; schools: readonly HighSchool[] }

const FIRST_SCHOOLS = 12

/** Which service the leads come from, how many there are, and which schools its key may see. */
export function ConnectedTo({ host, schools }: ConnectedToProps) {
  const t = useTranslations('work.connected')
  const id = useId()
  const others = schools.length - FIRST_SCHOOLS
  // Before the status is known, that there are no schools tells the same.
  const isNothingYet = useNothingYet(FEED_LISTS) ?? schools.length === 0
  const from = <p className="mt-1 text-sm wrap-anywhere text-mute">{host === null ? t('demo') : t('host', { host })}</p>
  if (isNothingYet)
    return (
      <div className="max-w-2xl rounded-lg border border-line bg-panel shadow-card">
        <NothingYet lists={FEED_LISTS}>{from}</NothingYet>
      </div>
    )
  return (
    <section aria-labelledby={id} className="max-w-2xl rounded-lg border border-line bg-panel shadow-card">
      <div className="px-4 pt-4 pb-3">
        <h2 id={id} className="text-base font-semibold">
          {t('title')}
        </h2>
        {from}
      </div>
      <dl className="grid grid-cols-2 border-y border-line-soft">
        {LEAD_LISTS.map((list) => (
          <ListSize key={list} list={list} />
        ))}
      </dl>
      <div className="px-4 py-3">
        <h3 className="text-sm font-medium">{t('schools', { count: schools.length })}</h3>
        <ul className="mt-2 flex flex-wrap gap-1.5">
          {schools.slice(0, FIRST_SCHOOLS).map((school) => (
            <li key={school.id} className="max-w-full">
              <Badge tone="outline">
                <span className="truncate">{school.name}</span>
              </Badge>
            </li>
          ))}
          {others > 0 && <li className="text-xs leading-5 text-mute">{t('more', { count: others })}</li>}
        </ul>
      </div>
    </section>
  )
}

function ListSize({ list }: { list: LeadList }) {
  const t = useTranslations('work.connected')
  const locale = useLocale()
  const today = useToday()
  const { data: counts } = useQuery(schoolCounts(list, useIsLive()))
  const { data: status } = useStatus()
  const fetchedAt = status?.lists[list]?.fetchedAt
  return (
    <div className="flex flex-col px-4 py-3 not-first:border-l not-first:border-line-soft">
      <dt className="text-xs text-mute">{t(list)}</dt>
      <dd className="order-first">
        <span className="tabular block text-title leading-8 font-semibold">
          {counts === undefined ? '–' : t('size', { count: counts.total })}
        </span>
      </dd>
      <dd className="text-xs text-faint">
        {fetchedAt === undefined
          ? t('notYet')
          : t('fetched', { when: dayAndTime(Date.parse(fetchedAt), today, locale) })}
      </dd>
    </div>
  )
}
