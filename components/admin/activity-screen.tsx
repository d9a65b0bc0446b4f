'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { ScrollText } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { useActivitySentence } from '@/components/app/activity-sentence'
import { DeskLink } from '@/components/app/navigate'
import { type UrlChange, useUrlState } from '@/components/app/url-state'
import { Avatar } from '@/components/ui/avatar'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { SelectField, TextField } from '@/components/ui/field'
import { LoadFailure } from '@/components/ui/load-failure'
import { Skeleton } from '@/components/ui/loading'
import { SegmentedControl } from '@/components/ui/segmented-control'
import { api, apiQueryKey } from '@/lib/api/call'
import type { ActivityItem } from '@/lib/contract/activity'
import { ACTIVITY_GROUPS, type ActivityGroup } from '@/lib/contract/activity-actions'
import { LEAD_KINDS, LISTS_BY_KIND } from '@/lib/contract/lists'
import type { User } from '@/lib/contract/user'
import { leadKey } from '@/lib/leads/lead-key'
import { formatFullTime } from '@/lib/time/format-date'
import { AdminPage } from './admin-page'

const TABS = ['events', 'signIns', 'exports'] as const
const GROUPS = Object.keys(ACTIVITY_GROUPS) as ActivityGroup[]
const NO_FILTER = { group: null, user: null, kind: null, id: null }

/** The filter is in the address, so that a link can share it, with ids only, because addresses hold no names. */
function useActivityFilter() {
  const { searchParams, write } = useUrlState()
  const tab = TABS.find((name) => name === searchParams.get('tab')) ?? 'events'
  return {
    tab,
    group: tab === 'events' ? GROUPS.find((name) => name === searchParams.get('group')) : tab,
    user: searchParams.get('user') ?? undefined,
    kind: LEAD_KINDS.find((kind) => kind === searchParams.get('kind')),
    id: searchParams.get('id') ?? undefined,
    change: (values: UrlChange) => write(values, 'push'),
  }
}

export function ActivityScreen({ users }: { users: readonly User[] }) {
  const t = useTranslations('activity')
  const { tab, group, user, kind, id, change } = useActivityFilter()
  const query = { user, kind, id, action: group && [...ACTIVITY_GROUPS[group]] }
  const activityQuery = useInfiniteQuery({
    queryKey: apiQueryKey('GET /api/activity', { query }),
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/activity', { query: { ...query, before: pageParam, limit: 50 }, signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ entries, hasMore }) => (hasMore ? entries.at(-1)?.id : undefined),
    refetchOnWindowFocus: false,
  })
  const entries = activityQuery.data?.pages.flatMap((page) => page.entries) ?? []
  return (
    <AdminPage title={t('title')} intro={t('lead')}>
      <div className="max-w-full self-start [&_label]:px-2.5">
        <SegmentedControl
          variant="switch"
          label={t('tabs')}
          value={tab}
          options={TABS.map((value) => ({ value, text: t(`tab.${value}`) }))}
          onChange={(next) => change({ ...NO_FILTER, tab: next === 'events' ? null : next })}
        />
      </div>
      <ActivityFilters users={users} />
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
              {mergeEntries(entries).map((act) => (
                <ActivityRow key={act[0].id} entries={act} users={users} />
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

function ActivityFilters({ users }: { users: readonly User[] }) {
  const t = useTranslations('activity')
  const { tab, group, user, id, change } = useActivityFilter()
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        change({ kind: null, id: String(new FormData(event.currentTarget).get('id') ?? '').trim() || null })
      }}
      className="flex flex-wrap items-end gap-3 *:min-w-[min(14rem,100%)] *:flex-1 desk:*:max-w-72"
    >
      <SelectField
        label={t('user')}
        value={user ?? ''}
        options={[['', t('anyUser')], ...users.map((one) => [one.id, `${one.name} (${one.email})`] as const)]}
        onChoose={(value) => change({ user: value || null })}
      />
      {tab === 'events' && (
        <>
          <SelectField
            label={t('group')}
            value={group ?? ''}
            options={[['', t('anyGroup')], ...GROUPS.map((name) => [name, t(`groupOf.${name}`)] as const)]}
            onChoose={(value) => change({ group: value || null })}
          />
          <TextField
            key={id}
            label={t('leadId')}
            name="id"
            defaultValue={id ?? ''}
            placeholder={t('leadIdHint')}
            autoComplete="off"
            spellCheck={false}
          />
          <span className="flex gap-2">
            <Button text={t('search')} type="submit" className="min-h-9" />
            <Button
              text={t('clear')}
              variant="ghost"
              className="min-h-9"
              disabled={(user ?? group ?? id) === undefined}
              onClick={() => change(NO_FILTER)}
            />
          </span>
        </>
      )}
    </form>
  )
}

function ActivityRow({ entries, users }: { entries: MergedEntries; users: readonly User[] }) {
  const t = useTranslations('activity')
  const locale = useLocale()
  const { change } = useActivityFilter()
  const describeEntry = useActivitySentence((id) => users.find((one) => one.id === id)?.name ?? id)
  const { at, user, details, address } = entries[0]
  const leads = entries.flatMap(({ lead }) => lead ?? [])
  const links = leads.map((lead) => (
    <span key={leadKey(lead)} className="flex min-w-0 flex-wrap items-center gap-x-2">
      <DeskLink
        href={`${LISTS_BY_KIND[lead.kind].href}?${new URLSearchParams({ lead: lead.id })}`}
        className="text-link text-accent hover:text-accent-strong"
      >
        {t('showLead')}
      </DeskLink>
      <FilterButton onClick={() => change({ ...NO_FILTER, tab: null, ...lead })}>
        <code className="truncate font-mono">{lead.id}</code>
      </FilterButton>
    </span>
  ))
  return (
    <tr className="block border-b border-line-soft px-4 py-2.5 last:border-b-0 desk:table-row desk:p-0 [&>td]:block desk:[&>td]:table-cell desk:[&>td]:px-4 desk:[&>td]:py-2">
      <td className="tabular whitespace-nowrap text-mute desk:w-52">
        <time dateTime={at}>{formatFullTime(Date.parse(at), locale)}</time>
      </td>
      <td className="desk:w-56">
        {user === null ? (
          <span className="text-faint">{t(details.console === true ? 'operators' : 'nobody')}</span>
        ) : (
          <FilterButton onClick={() => change({ ...NO_FILTER, user: user.id })}>
            <Avatar name={user.name} />
            <bdi className="truncate">{user.name === '' ? user.id : user.name}</bdi>
          </FilterButton>
        )}
      </td>
      <td>
        <p className="wrap-anywhere">{describeEntry(entries[0], entries.length)}</p>
        <div className="flex flex-wrap items-center gap-x-4 text-xs text-mute">
          {links.length > 1 ? (
            <details>
              <summary className="min-h-6 cursor-pointer content-center touch:min-h-11">{t('showLeads')}</summary>
              {links}
            </details>
          ) : (
            links
          )}
          {address !== null && <span className="tabular">{t('address', { address })}</span>}
        </div>
      </td>
    </tr>
  )
}

type MergedEntries = [ActivityItem, ...ActivityItem[]]

/** Groups entries that follow each other and differ in the lead only: opening a person touches all their leads. */
export function mergeEntries(entries: readonly ActivityItem[]): MergedEntries[] {
  const toComparable = ({ at, user, action, details, address }: ActivityItem) =>
    JSON.stringify([at.slice(0, 16), user?.id ?? null, action, details, address])
  const groups: MergedEntries[] = []
  for (const entry of entries) {
    const last = groups.at(-1)
    if (last?.[0].lead && entry.lead && toComparable(last[0]) === toComparable(entry)) last.push(entry)
    else groups.push([entry])
  }
  return groups
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
