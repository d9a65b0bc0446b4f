'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { ScrollText } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { singleValues, useUrlState } from '@/components/app/url-state'
import { useActivitySentence } from '@/components/app/activity-sentence'
import { DeskLink } from '@/components/app/navigate'
import { Avatar } from '@/components/ui/avatar'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { SelectField, TextField } from '@/components/ui/field'
import { LoadFailure } from '@/components/ui/load-failure'
import { Skeleton } from '@/components/ui/loading'
import { Segments } from '@/components/ui/segments'
import { api, keyOf } from '@/lib/api/call'
import type { ActivityItem } from '@/lib/contract/activity'
import { ACTIVITY_GROUPS, type ActivityGroup } from '@/lib/contract/activity-actions'
import { LEAD_KINDS, LISTS_BY_KIND } from '@/lib/contract/lists'
import type { User } from '@/lib/contract/user'
import { leadKey } from '@/lib/leads/lead-key'
import { fullTime } from '@/lib/time/format-date'
import { AdminPage } from './admin-page'

const PAGE_SIZE = 50
const TABS = ['events', 'signIns', 'exports'] as const
const GROUPS = Object.keys(ACTIVITY_GROUPS) as ActivityGroup[]
const linkClass =
  'inline-flex min-h-6 items-center text-accent underline decoration-line underline-offset-3 hover:text-accent-strong touch:min-h-11'

export function ActivityScreen({ users }: { users: readonly User[] }) {
  const t = useTranslations('activity')
  const { search, write } = useUrlState()
  // What is looked for is in the address: ids only, so that it can be passed on.
  const tab = TABS.find((name) => name === search.get('tab')) ?? 'events'
  const group = tab === 'events' ? GROUPS.find((name) => name === search.get('group')) : tab
  const user = search.get('user') ?? undefined
  const kind = LEAD_KINDS.find((one) => one === search.get('kind'))
  const id = search.get('id') ?? undefined
  const show = (next: Wanted) => write(singleValues(next), 'push')
  const query = { user, kind, id, action: group && [...ACTIVITY_GROUPS[group]] }
  const found = useInfiniteQuery({
    queryKey: keyOf('GET /api/activity', { query }),
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/activity', { query: { ...query, before: pageParam, limit: PAGE_SIZE }, signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ entries, hasMore }) => (hasMore ? entries.at(-1)?.id : undefined),
    refetchOnWindowFocus: false,
  })
  const entries = found.data?.pages.flatMap((page) => page.entries) ?? []
  return (
    <AdminPage title={t('title')} lead={t('lead')}>
      <div className="max-w-full self-start [&_label]:px-2.5">
        <Segments
          look="switch"
          label={t('tabs')}
          value={tab}
          options={TABS.map((value) => ({ value, text: t(`tab.${value}`) }))}
          onChange={(next) => show({ ...NO_FILTER, tab: next === 'events' ? null : next })}
        />
      </div>
      <ActivityFilters {...{ tab, group, user, id, users }} onShow={show} />
      {tab === 'exports' && (
        <DeskLink href="/exports" className={`${linkClass} self-start text-sm`}>
          {t('ownExports')}
        </DeskLink>
      )}
      {found.isError && <LoadFailure onRetry={found.refetch} />}
      {found.isPending && <Skeleton className="h-40 w-full" />}
      {found.isSuccess && entries.length === 0 && (
        <EmptyState icon={<ScrollText />} title={t('empty')} hint={t('emptyHint')} />
      )}
      {entries.length > 0 && (
        <div className="overflow-hidden rounded-lg border border-line bg-panel shadow-card">
          <table className="block w-full text-left text-sm desk:table [&_td]:align-top">
            <caption className="sr-only">{t('title')}</caption>
            <thead className="sr-only desk:not-sr-only desk:table-header-group">
              <tr className="border-b border-line text-xs text-mute [&>th]:px-4 [&>th]:py-2 [&>th]:font-medium">
                {(['when', 'who', 'what'] as const).map((name) => (
                  <th key={name} scope="col">
                    {t(name)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody className="block desk:table-row-group">
              {groupsOf(entries).map((act) => (
                <Row key={act[0].id} act={act} users={users} onSearch={(next) => show({ ...NO_FILTER, ...next })} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {found.hasNextPage && (
        <Button
          text={t('older')}
          className="self-center"
          busy={found.isFetchingNextPage}
          onClick={() => void found.fetchNextPage()}
        />
      )}
    </AdminPage>
  )
}

const NO_FILTER = { group: null, user: null, kind: null, id: null }

type Wanted = Partial<Record<keyof typeof NO_FILTER | 'tab', string | null>>

type FiltersProps = {
  tab: (typeof TABS)[number]
  group: ActivityGroup | undefined
  user: string | undefined
  id: string | undefined
  users: readonly User[]
  onShow: (wanted: Wanted) => void
}

function ActivityFilters({ tab, group, user, id, users, onShow }: FiltersProps) {
  const t = useTranslations('activity')
  const everybody = users.map((one) => [one.id, `${one.name} (${one.email})`] as const)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onShow({ kind: null, id: String(new FormData(event.currentTarget).get('id') ?? '').trim() || null })
      }}
      className="flex flex-wrap items-end gap-3 *:min-w-[min(14rem,100%)] *:flex-1 desk:*:max-w-72"
    >
      <SelectField
        label={t('user')}
        value={user ?? ''}
        options={[['', t('anyUser')], ...everybody]}
        onChoose={(value) => onShow({ user: value || null })}
      />
      {tab === 'events' && (
        <>
          <SelectField
            label={t('group')}
            value={group ?? ''}
            options={[['', t('anyGroup')], ...GROUPS.map((name) => [name, t(`groupOf.${name}`)] as const)]}
            onChoose={(value) => onShow({ group: value || null })}
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
              disabled={[user, group, id].every((value) => value === undefined)}
              onClick={() => onShow(NO_FILTER)}
            />
          </span>
        </>
      )}
    </form>
  )
}

type Act = [ActivityItem, ...ActivityItem[]]

/** Groups entries that follow each other and differ in the lead only: opening a person touches all their leads. */
export function groupsOf(entries: readonly ActivityItem[]): Act[] {
  const actOf = ({ at, user, action, details, address }: ActivityItem) =>
    JSON.stringify([at.slice(0, 16), user?.id ?? null, action, details, address])
  const groups: Act[] = []
  for (const entry of entries) {
    const last = groups.at(-1)
    if (last?.[0].lead && entry.lead && actOf(last[0]) === actOf(entry)) last.push(entry)
    else groups.push([entry])
  }
  return groups
}

type RowProps = { act: Act; users: readonly User[]; onSearch: (wanted: Wanted) => void }

function Row({ act, users, onSearch }: RowProps) {
  const t = useTranslations('activity')
  const locale = useLocale()
  const sentence = useActivitySentence((id) => users.find((one) => one.id === id)?.name ?? id)
  const { at, user, details, address } = act[0]
  const leads = act.flatMap(({ lead }) => lead ?? [])
  const links = leads.map((lead) => (
    <span key={leadKey(lead)} className="flex min-w-0 flex-wrap items-center gap-x-2">
      <DeskLink
        href={`${LISTS_BY_KIND[lead.kind].href}?${new URLSearchParams({ lead: lead.id })}`}
        className={linkClass}
      >
        {t('showLead')}
      </DeskLink>
      <FilterButton onClick={() => onSearch({ tab: null, ...lead })}>
        <code className="truncate font-mono">{lead.id}</code>
      </FilterButton>
    </span>
  ))
  return (
    <tr className="block border-b border-line-soft px-4 py-2.5 last:border-b-0 desk:table-row desk:p-0 [&>td]:block desk:[&>td]:table-cell desk:[&>td]:px-4 desk:[&>td]:py-2">
      <td className="tabular whitespace-nowrap text-mute desk:w-52">
        <time dateTime={at}>{fullTime(Date.parse(at), locale)}</time>
      </td>
      <td className="desk:w-56">
        {user === null ? (
          <span className="text-faint">{t(details.console === true ? 'operators' : 'nobody')}</span>
        ) : (
          <FilterButton onClick={() => onSearch({ user: user.id })}>
            <Avatar name={user.name} />
            <bdi className="truncate">{user.name === '' ? user.id : user.name}</bdi>
          </FilterButton>
        )}
      </td>
      <td>
        <p className="wrap-anywhere">{sentence(act[0], act.length)}</p>
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
