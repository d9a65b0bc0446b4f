import { useFormatter, useLocale, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { DeskLink } from '@/components/desk/navigate'
import { useSchoolNames } from '@/components/desk/schools'
import { Avatar } from '@/components/ui/avatar'
import type { ActivityItem } from '@/lib/contract/activity'
import type { LeadRef } from '@/lib/contract/lead'
import { LEAD_STATUSES, LISTS_BY_KIND } from '@/lib/contract/lists'
import type { User } from '@/lib/contract/user'
import { leadKey } from '@/lib/leads/lead-key'
import { fullTime } from '@/lib/time/format-date'
import { ROLES } from './user-change'

type ActivityEntriesProps = {
  title?: string
  entries: readonly ActivityItem[]
  users: readonly User[]
  onSearch: (wanted: { user: string } | LeadRef) => void
}
type Search = ActivityEntriesProps['onSearch']

export function ActivityEntries({ title, entries, users, onSearch }: ActivityEntriesProps) {
  const t = useTranslations('activity')
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-panel shadow-card">
      <table className="block w-full text-left text-sm desk:table [&_td]:align-top">
        <caption className="sr-only">{title ?? t('title')}</caption>
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
  const groups: ActivityGroup[] = []
  for (const entry of entries) {
    const last = groups.at(-1)
    if (last?.[0].lead && entry.lead && actOf(last[0]) === actOf(entry)) last.push(entry)
    else groups.push([entry])
  }
  return groups
}

function actOf({ at, user, action, details, address }: ActivityItem): string {
  return JSON.stringify([at.slice(0, 16), user?.id ?? null, action, details, address])
}

function actorOf(action: string, details: ActivityItem['details']) {
  return details?.console === true ? 'operators' : 'nobody'
}

function Row({ group, users, onSearch }: { group: ActivityGroup; users: readonly User[]; onSearch: Search }) {
  const t = useTranslations('activity')
  const names = useTranslations('activity.name')
  const locale = useLocale()
  const { at, user, action, details, address } = group[0]
  return (
    <tr className="block border-b border-line-soft px-4 py-2.5 last:border-b-0 desk:table-row desk:p-0 [&>td]:block desk:[&>td]:table-cell desk:[&>td]:px-4 desk:[&>td]:py-2">
      <td className="tabular whitespace-nowrap text-mute">
        <time dateTime={at}>{fullTime(Date.parse(at), locale)}</time>
      </td>
      <td className="desk:w-56">
        {user === null ? (
          <span className="text-faint">{t(actorOf(action, details))}</span>
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
        <Leads leads={group.flatMap(({ lead }) => lead ?? [])} onSearch={onSearch} />
      </td>
    </tr>
  )
}

/** Another release may have written it. */
function isMessage<Key extends string>(t: { has: (key: Key) => boolean }, key: string): key is Key {
  return t.has(key as Key)
}

function Leads({ leads, onSearch }: { leads: readonly LeadRef[]; onSearch: Search }) {
  const t = useTranslations('activity')
  const each = leads.map((lead) => <About key={leadKey(lead)} lead={lead} onSearch={onSearch} />)
  if (leads.length < 2) return each
  return (
    <details>
      <summary className="min-h-6 cursor-pointer touch:min-h-11 touch:content-center">
        {t('leads', { count: leads.length })}
      </summary>
      <div className="mt-1 flex flex-col gap-1.5">{each}</div>
    </details>
  )
}

function About({ lead: { kind, id }, onSearch }: { lead: LeadRef; onSearch: Search }) {
  const t = useTranslations('activity')
  return (
    <span className="flex min-w-0 flex-col gap-0.5">
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
    </span>
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

type Details = ActivityItem['details']

/** A detail without a message is shown as it was logged. */
function ActivityDetails({ details, users }: { details: Details; users: readonly User[] }) {
  const t = useTranslations('activity.detail')
  const wordOf = useValueWords(users)
  const entries = Object.entries(details)
  if (entries.length === 0) return null
  return (
    <dl className="flex flex-wrap gap-x-3 text-xs text-mute">
      {entries.map(([name, value]) => (
        <div key={name} className="flex gap-1">
          <dt>{isMessage(t, name) ? t(name) : name}:</dt>
          <dd className="tabular min-w-0 wrap-anywhere text-ink">{wordOf(name, value)}</dd>
        </div>
      ))}
    </dl>
  )
}

const PEOPLE: ReadonlySet<string> = new Set(['user', 'assignee', 'assigneeBefore', 'added', 'removed'])
const WAYS: ReadonlySet<string> = new Set(['with', 'factor', 'type'])
const WAY_WORDS = {
  password: 'password',
  oidc: 'singleSignOn',
  totp: 'totp',
  'recovery-code': 'recoveryCode',
  'second-factor': 'secondFactor',
} as const

function useValueWords(users: readonly User[]): (name: string, value: Details[string]) => string {
  const t = useTranslations('activity.value')
  const common = useTranslations('common')
  const format = useFormatter()
  const schools = useSchoolNames()
  const word = (name: string, text: string): string => {
    if (PEOPLE.has(name)) return users.find(({ id }) => id === text)?.name ?? text
    if (name === 'schools' && text !== 'all') return schools.byId(text)
    const status = LEAD_STATUSES.find((each) => each === text)
    if (status !== undefined) return common(`status.${status}`)
    const role = name === 'role' || name === 'secondFactorFor' ? ROLES.find((each) => each === text) : undefined
    if (role !== undefined) return common(`role.${role}`)
    return WAYS.has(name) && Object.hasOwn(WAY_WORDS, text) ? t(WAY_WORDS[text as keyof typeof WAY_WORDS]) : text
  }
  return (name, value) => {
    if (value === null) return t('nobody')
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
    if (typeof value === 'number') return format.number(value)
    if (typeof value === 'string') return word(name, value)
    const [first = '', ...more] = value.map((text) => word(name, text))
    return more.length === 0 ? first : t('more', { first, count: more.length })
  }
}
