'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { ScrollText } from 'lucide-react'
import { useFormatter, useLocale, useTranslations } from 'next-intl'
import type { FormEvent, ReactNode } from 'react'
import { singleValues, useUrlState } from '@/components/browser/url-state'
import { DeskLink } from '@/components/desk/navigate'
import { useSchoolNames } from '@/components/desk/schools'
import { Avatar } from '@/components/ui/avatar'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { SelectField, TextField } from '@/components/ui/field'
import { PageHeader } from '@/components/ui/headings'
import { LoadFailure } from '@/components/ui/load-failure'
import { Skeleton } from '@/components/ui/loading'
import { api, keyOf } from '@/lib/api/call'
import type { ActivityItem } from '@/lib/contract/activity'
import { ACTIVITY_ACTIONS } from '@/lib/contract/activity-actions'
import type { LeadRef } from '@/lib/contract/lead'
import { LEAD_KINDS, LISTS_BY_KIND } from '@/lib/contract/lists'
import type { User } from '@/lib/contract/user'
import { leadKey } from '@/lib/leads/lead-key'
import { fullTime } from '@/lib/time/format-date'

const PAGE_SIZE = 50

export function ActivityScreen({ users }: { users: readonly User[] }) {
  const t = useTranslations('activity')
  const { search, write } = useUrlState()
  // What is looked for is in the address: ids only, so that it can be passed on.
  const params = {
    user: search.get('user') ?? undefined,
    kind: LEAD_KINDS.find((kind) => kind === search.get('kind')),
    id: search.get('id') ?? undefined,
    action: search.get('action') ?? undefined,
  }
  const setParams = (next: Wanted) => write(singleValues(next), 'push')
  const found = useInfiniteQuery({
    queryKey: keyOf('GET /api/activity', { query: params }),
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/activity', { query: { ...params, before: pageParam, limit: PAGE_SIZE }, signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ entries, hasMore }) => (hasMore ? entries.at(-1)?.id : undefined),
    refetchOnWindowFocus: false,
  })
  const entries = found.data?.pages.flatMap((page) => page.entries) ?? []
  return (
    <div className="page">
      <PageHeader title={t('title')} lead={`${t('lead')} ${t('times')}`} />
      <ActivityFilters key={JSON.stringify(params)} params={params} users={users} onSearch={setParams} />
      {found.isError && <LoadFailure onRetry={found.refetch} />}
      {found.isPending && <Skeleton className="h-40 w-full" />}
      {found.isSuccess && entries.length === 0 && (
        <EmptyState icon={<ScrollText />} title={t('empty')} hint={t('emptyHint')} />
      )}
      {entries.length > 0 && (
        <>
          <ActivityEntries entries={entries} users={users} onSearch={(next) => setParams({ ...NO_FILTER, ...next })} />
          {found.hasNextPage && (
            <Button
              text={t('older')}
              className="self-center"
              busy={found.isFetchingNextPage}
              onClick={() => void found.fetchNextPage()}
            />
          )}
        </>
      )}
    </div>
  )
}

const NO_FILTER = { user: null, kind: null, id: null, action: null }

type Wanted = Partial<Record<keyof typeof NO_FILTER, string | null>>
type FiltersProps = {
  params: Readonly<Partial<Record<keyof typeof NO_FILTER, string | undefined>>>
  users: readonly User[]
  onSearch: (next: Wanted) => void
}

function ActivityFilters({ params, users, onSearch }: FiltersProps) {
  const t = useTranslations('activity')
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onSearch({ id: String(new FormData(event.currentTarget).get('id')).trim() || null })
  }
  const isFiltered = Object.values(params).some((value) => value !== undefined)
  const names = useTranslations('activity.name')
  type Options = [value: string, text: string][]
  const options: Record<'user' | 'action' | 'kind', Options> = {
    user: [['', t('anyUser')], ...users.map(({ id, name, email }): Options[0] => [id, `${name} (${email})`])],
    action: [['', t('anyAction')], ...ACTIVITY_ACTIONS.map((action): Options[0] => [action, names(action)])],
    kind: [['', t('anyKind')], ...LEAD_KINDS.map((kind): Options[0] => [kind, t(`kindOf.${kind}`)])],
  }
  return (
    <form onSubmit={submit} className="grid grid-cols-2 items-end gap-3 desk:grid-cols-[1fr_1fr_11rem_1.2fr_auto]">
      {(['user', 'action', 'kind'] as const).map((name) => (
        <SelectField
          key={name}
          label={t(name)}
          value={params[name] ?? ''}
          options={options[name]}
          onChoose={(value) => onSearch({ [name]: value || null })}
        />
      ))}
      <TextField
        label={t('leadId')}
        name="id"
        defaultValue={params.id ?? ''}
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
          disabled={!isFiltered}
          onClick={() => onSearch(NO_FILTER)}
        />
      </span>
    </form>
  )
}

type Search = (wanted: { user: string } | LeadRef) => void
type ActivityEntriesProps = { entries: readonly ActivityItem[]; users: readonly User[]; onSearch: Search }

function ActivityEntries({ entries, users, onSearch }: ActivityEntriesProps) {
  const t = useTranslations('activity')
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-panel shadow-card">
      <table className="block w-full text-left text-sm desk:table [&_td]:align-top">
        <caption className="sr-only">{t('title')}</caption>
        <thead className="sr-only desk:not-sr-only desk:table-header-group">
          <tr className="border-b border-line text-xs text-mute [&>th]:px-4 [&>th]:py-2 [&>th]:font-medium">
            {(['when', 'who', 'what', 'about'] as const).map((name) => (
              <th key={name} scope="col">
                {t(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="block desk:table-row-group">
          {groupsOf(entries).map((group) => (
            <Row key={group[0].id} group={group} users={users} onSearch={onSearch} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

type ActivityGroup = [ActivityItem, ...ActivityItem[]]

/** Groups entries that follow each other and differ in the lead only: opening a person touches all their leads. */
export function groupsOf(entries: readonly ActivityItem[]): ActivityGroup[] {
  const actOf = ({ at, user, action, details, address }: ActivityItem) =>
    JSON.stringify([at.slice(0, 16), user?.id ?? null, action, details, address])
  const groups: ActivityGroup[] = []
  for (const entry of entries) {
    const last = groups.at(-1)
    if (last?.[0].lead && entry.lead && actOf(last[0]) === actOf(entry)) last.push(entry)
    else groups.push([entry])
  }
  return groups
}

function Row({ group, users, onSearch }: { group: ActivityGroup; users: readonly User[]; onSearch: Search }) {
  const t = useTranslations('activity')
  const names = useTranslations('activity.name')
  const locale = useLocale()
  const { at, user, action, details, address } = group[0]
  const about = group.flatMap(({ lead }) => {
    if (lead === null) return []
    const { kind, id } = lead
    return [
      <span key={leadKey(lead)} className="flex min-w-0 flex-col gap-0.5">
        <span className="flex flex-wrap items-center gap-x-2">
          {t(`kindOf.${kind}`)}
          <DeskLink
            href={`${LISTS_BY_KIND[kind].href}?${new URLSearchParams({ lead: id })}`}
            className="inline-flex min-h-6 items-center text-xs text-accent underline decoration-line underline-offset-3 hover:text-accent-strong"
          >
            {t('showLead')}
          </DeskLink>
        </span>
        <FilterButton onClick={() => onSearch({ kind, id })}>
          <code className="truncate font-mono text-xs text-mute">{id}</code>
        </FilterButton>
      </span>,
    ]
  })
  return (
    <tr className="block border-b border-line-soft px-4 py-2.5 last:border-b-0 desk:table-row desk:p-0 [&>td]:block desk:[&>td]:table-cell desk:[&>td]:px-4 desk:[&>td]:py-2">
      <td className="tabular whitespace-nowrap text-mute">
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
        <span className="font-medium">{isMessage(names, action) ? names(action) : action}</span>
        <ActivityDetails details={address === null ? details : { ...details, address }} users={users} />
      </td>
      <td className="desk:w-72">
        {about.length < 2 ? (
          about
        ) : (
          <details>
            <summary className="min-h-6 cursor-pointer touch:min-h-11 touch:content-center">
              {t('leads', { count: about.length })}
            </summary>
            <div className="mt-1 flex flex-col gap-1.5">{about}</div>
          </details>
        )}
      </td>
    </tr>
  )
}

/** Another release may have logged a word that has no message here. */
function isMessage<Key extends string>(t: { has: (key: Key) => boolean }, key: string): key is Key {
  return t.has(key as Key)
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

type Details = ActivityItem['details']

const PEOPLE: ReadonlySet<string> = new Set(['user', 'assignee', 'assigneeBefore', 'added', 'removed'])
const WAYS: ReadonlySet<string> = new Set(['with', 'factor', 'type'])
const ROLE_DETAILS: ReadonlySet<string> = new Set(['role', 'secondFactorFor'])

/** A detail without a message is shown as it was logged. */
function ActivityDetails({ details, users }: { details: Details; users: readonly User[] }) {
  const t = useTranslations('activity.detail')
  const words = useTranslations('activity.value')
  const ways = useTranslations('activity.way')
  const statuses = useTranslations('common.status')
  const roles = useTranslations('common.role')
  const format = useFormatter()
  const schools = useSchoolNames()
  const word = (name: string, text: string): string => {
    if (PEOPLE.has(name)) return users.find(({ id }) => id === text)?.name ?? text
    if (name === 'schools' && text !== 'all') return schools.byId(text)
    if (isMessage(statuses, text)) return statuses(text)
    if (ROLE_DETAILS.has(name) && isMessage(roles, text)) return roles(text)
    return WAYS.has(name) && isMessage(ways, text) ? ways(text) : text
  }
  const text = (name: string, value: Details[string]): string => {
    if (value === null) return words('nobody')
    if (typeof value === 'boolean') return words(value ? 'yes' : 'no')
    if (typeof value === 'number') return format.number(value)
    if (typeof value === 'string') return word(name, value)
    const [first = '', ...more] = value.map((each) => word(name, each))
    return more.length === 0 ? first : words('more', { first, count: more.length })
  }
  const entries = Object.entries(details)
  if (entries.length === 0) return null
  return (
    <dl className="flex flex-wrap gap-x-3 text-xs text-mute">
      {entries.map(([name, value]) => (
        <div key={name} className="flex gap-1">
          <dt>{isMessage(t, name) ? t(name) : name}:</dt>
          <dd className="tabular min-w-0 wrap-anywhere text-ink">{text(name, value)}</dd>
        </div>
      ))}
    </dl>
  )
}
