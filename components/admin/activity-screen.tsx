'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { ScrollText } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { useActivitySentence } from '@/components/app/activity-sentence'
import { DeskLink } from '@/components/app/navigate'
import { Avatar } from '@/components/ui/avatar'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { LoadFailure } from '@/components/ui/load-failure'
import { Skeleton } from '@/components/ui/loading'
import { SegmentedControl } from '@/components/ui/segmented-control'
import { api, apiQueryKey } from '@/lib/api/call'
import type { ActivityItem } from '@/lib/contract/activity'
import { ACTIVITY_GROUPS } from '@/lib/contract/activity-actions'
import type { User } from '@/lib/contract/user'
import { toLeadHref } from '@/lib/inbox/queues'
import { formatFullTime } from '@/lib/time/format-date'
import { ACTIVITY_TABS, ActivityFilterForm, NO_FILTER, useActivityFilter } from './activity-filter'
import { AdminPage } from './admin-page'

const ENTRIES_PER_PAGE = 50

/** Lists who did what, the newest first; a press on a user or lead lists only what concerns them. */
export function ActivityScreen({ users }: { users: readonly User[] }) {
  const t = useTranslations('activity')
  const { tab, group, userId, leadKind, leadId, changeFilter } = useActivityFilter()
  const query = { user: userId, kind: leadKind, id: leadId, action: group && [...ACTIVITY_GROUPS[group]] }
  const activityQuery = useInfiniteQuery({
    queryKey: apiQueryKey('GET /api/activity', { query }),
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/activity', { query: { ...query, before: pageParam, limit: ENTRIES_PER_PAGE }, signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ entries, hasMore }) => (hasMore ? entries.at(-1)?.id : undefined),
    refetchOnWindowFocus: false,
  })
  const entries = activityQuery.data?.pages.flatMap((page) => page.entries) ?? []
  return (
    <AdminPage title={t('title')} intro={t('intro')}>
      <div className="max-w-full self-start [&_label]:px-2.5">
        <SegmentedControl
          variant="switch"
          label={t('tabs')}
          value={tab}
          options={ACTIVITY_TABS.map((value) => ({ value, text: t(`tab.${value}`) }))}
          onChange={(name) => changeFilter({ ...NO_FILTER, tab: name === 'events' ? null : name })}
        />
      </div>
      <ActivityFilterForm users={users} />
      {tab === 'exports' && (
        <DeskLink href="/exports" className="text-link self-start text-sm text-accent hover:text-accent-strong">
          {t('ownExports')}
        </DeskLink>
      )}
      {activityQuery.isError && <LoadFailure onRetry={activityQuery.refetch} />}
      {activityQuery.isPending && <Skeleton className="h-40 w-full" />}
      {activityQuery.isSuccess && entries.length === 0 && (
        <EmptyState icon={<ScrollText />} title={t('empty')} hint={t('emptyHint')} />
      )}
      {entries.length > 0 && (
        <div className="card overflow-hidden">
          <table className="block w-full text-left text-sm desk:table [&_td]:align-top">
            <caption className="sr-only">{t('title')}</caption>
            <thead className="sr-only desk:not-sr-only desk:table-header-group">
              <tr className="border-b border-line text-xs text-mute [&>th]:px-4 [&>th]:py-2 [&>th]:font-medium">
                <th scope="col">{t('when')}</th>
                <th scope="col">{t('who')}</th>
                <th scope="col">{t('what')}</th>
              </tr>
            </thead>
            <tbody className="block desk:table-row-group">
              {entries.map((entry) => (
                <ActivityRow key={entry.id} entry={entry} users={users} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {activityQuery.hasNextPage && (
        <Button
          text={t('older')}
          className="self-center"
          busy={activityQuery.isFetchingNextPage}
          onClick={() => void activityQuery.fetchNextPage()}
        />
      )}
    </AdminPage>
  )
}

function ActivityRow({ entry, users }: { entry: ActivityItem; users: readonly User[] }) {
  const t = useTranslations('activity')
  const locale = useLocale()
  const { changeFilter } = useActivityFilter()
  const describeEntry = useActivitySentence((userId) => users.find(({ id }) => id === userId)?.name ?? userId)
  const { at, user, details, lead, address } = entry
  return (
    <tr className="block border-b border-line-soft px-4 py-2.5 last:border-b-0 desk:table-row desk:p-0 [&>td]:block desk:[&>td]:table-cell desk:[&>td]:px-4 desk:[&>td]:py-2">
      <td className="tabular whitespace-nowrap text-mute desk:w-52">
        <time dateTime={at}>{formatFullTime(Date.parse(at), locale)}</time>
      </td>
      <td className="desk:w-56">
        {user === null ? (
          <span className="text-faint">{t(details.console === true ? 'operators' : 'nobody')}</span>
        ) : (
          <FilterButton onClick={() => changeFilter({ ...NO_FILTER, user: user.id })}>
            <Avatar name={user.name} />
            <bdi className="truncate">{user.name || user.id}</bdi>
          </FilterButton>
        )}
      </td>
      <td>
        <p className="wrap-anywhere">{describeEntry(entry)}</p>
        <div className="flex flex-wrap items-center gap-x-4 text-xs text-mute">
          {lead !== null && (
            <>
              <DeskLink href={toLeadHref(lead)} className="text-link text-accent hover:text-accent-strong">
                {t('showLead')}
              </DeskLink>
              <FilterButton onClick={() => changeFilter({ ...NO_FILTER, tab: null, ...lead })}>
                <code className="truncate font-mono">{lead.id}</code>
              </FilterButton>
            </>
          )}
          {address !== null && <span className="tabular">{t('address', { address })}</span>}
        </div>
      </td>
    </tr>
  )
}

function FilterButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="-mx-1.5 flex min-h-6 max-w-full desk:-my-0.5 min-w-0 items-center gap-2 rounded-sm px-1.5 text-left hover:bg-hover touch:min-h-11"
    >
      {children}
    </button>
  )
}
