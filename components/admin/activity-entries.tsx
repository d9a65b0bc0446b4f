import { useFormatter, useLocale, useTranslations } from 'next-intl'
import { DeskLink } from '@/components/desk/go'
import type { ReactNode } from 'react'
import { useSchoolNames } from '@/components/desk/schools'
import { Avatar } from '@/components/ui/avatar'
import type { ActivityItem } from '@/lib/contract/activity'
import type { LeadRef } from '@/lib/contract/lead'
import { LEAD_STATUSES, LISTS_BY_KIND } from '@/lib/contract/lists'
import type { User } from '@/lib/contract/user'
import { fullTime } from '@/lib/time/format-date'
import { type ActivityGroup, groupsOf } from './activity-groups'
import { type ActivityParams, isAction } from './activity-search'

type Search = (next: Partial<ActivityParams>) => void
type ActivityEntriesProps = {
  /** What the table is called, if not like the log. */
  title?: string
  entries: readonly ActivityItem[]
  users: readonly User[]
  onSearch: Search
}

/** What was done, act by act: a table on a desk, on a phone one line below the other. */
export function ActivityEntries({ title, entries, users, onSearch }: ActivityEntriesProps) {
  const t = useTranslations('activity')
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-panel shadow-card">
      <table className="block w-full text-left text-sm desk:table [&_td]:align-top">
        <caption className="sr-only">{title ?? t('title')}</caption>
        <thead className="sr-only desk:not-sr-only desk:table-header-group">
          <tr className="border-b border-line text-xs text-mute [&>th]:px-4 [&>th]:py-2 [&>th]:font-medium">
            <th scope="col">{t('when')}</th>
            <th scope="col">{t('who')}</th>
            <th scope="col">{t('what')}</th>
            <th scope="col">{t('about')}</th>
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

function Row({ group, users, onSearch }: { group: ActivityGroup; users: readonly User[]; onSearch: Search }) {
  const t = useTranslations('activity')
  const locale = useLocale()
  const { at, user, action, details, address } = group[0]
  return (
    <tr className="block border-b border-line-soft px-4 py-2.5 last:border-b-0 desk:table-row desk:p-0 [&>td]:block desk:[&>td]:table-cell desk:[&>td]:px-4 desk:[&>td]:py-2">
      <td className="tabular whitespace-nowrap text-mute">
        <time dateTime={at}>{fullTime(Date.parse(at), locale)}</time>
      </td>
      <td className="desk:w-56">
        {user === null ? (
          <span className="text-faint">{t('nobody')}</span>
        ) : (
          <FilterButton onClick={() => onSearch({ user: user.id })}>
            <Avatar name={user.name} />
            <bdi className="truncate">{user.name === '' ? user.id : user.name}</bdi>
          </FilterButton>
        )}
      </td>
      <td>
        <span className="font-medium">{isAction(action) ? t(`name.${action}`) : action}</span>
        <ActivityDetails details={address === null ? details : { ...details, address }} users={users} />
      </td>
      <td className="desk:w-72">
        <Leads leads={group.flatMap(({ lead }) => lead ?? [])} onSearch={onSearch} />
      </td>
    </tr>
  )
}

/** Which leads it was about; many are shown when they are asked for. */
function Leads({ leads, onSearch }: { leads: readonly LeadRef[]; onSearch: Search }) {
  const t = useTranslations('activity')
  const each = leads.map((lead) => <About key={`${lead.kind} ${lead.id}`} lead={lead} onSearch={onSearch} />)
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

function About({ lead, onSearch }: { lead: LeadRef; onSearch: Search }) {
  const t = useTranslations('activity')
  const path = LISTS_BY_KIND[lead.kind].href
  return (
    <span className="flex min-w-0 flex-col gap-0.5">
      <span className="flex flex-wrap items-center gap-x-2">
        {t(`kindOf.${lead.kind}`)}
        <DeskLink
          href={`${path}?${new URLSearchParams({ lead: lead.id })}`}
          className="inline-flex min-h-6 items-center text-xs text-accent underline decoration-line underline-offset-3 hover:text-accent-strong"
        >
          {t('showLead')}
        </DeskLink>
      </span>
      <FilterButton onClick={() => onSearch({ kind: lead.kind, id: lead.id })}>
        <code className="truncate font-mono text-xs text-mute">{lead.id}</code>
      </FilterButton>
    </span>
  )
}

/** Narrows the log to the person or lead that it names. */
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
type Value = Details[string]

/** What else the log holds of an entry. What we have no word for stands as it was written. */
function ActivityDetails({ details, users }: { details: Details; users: readonly User[] }) {
  const t = useTranslations('activity.detail')
  const say = useValueWords(users)
  const entries = Object.entries(details)
  if (entries.length === 0) return null
  return (
    <dl className="flex flex-wrap gap-x-3 text-xs text-mute">
      {entries.map(([name, value]) => {
        const known = NAMED.find((word) => word === name)
        return (
          <div key={name} className="flex gap-1">
            <dt>{known === undefined ? name : t(known)}:</dt>
            <dd className="tabular min-w-0 wrap-anywhere text-ink">{say(name, value)}</dd>
          </div>
        )
      })}
    </dl>
  )
}

/** The details that have a name in the messages. */
const NAMED = [
  'user',
  'role',
  'schools',
  'disabled',
  'with',
  'knownDevice',
  'brake',
  'from',
  'to',
  'status',
  'assignee',
  'assigneeBefore',
  'count',
  'list',
  'format',
  'columns',
  'leads',
  'shared',
  'setting',
  'state',
  'note',
  'template',
  'view',
  'export',
  'written',
  'factor',
  'type',
  'allowed',
  'secondFactorFor',
  'proofAboveLeads',
  'method',
  'route',
  'hour',
  'listed',
  'opened',
  'days',
  'address',
  'protection',
  'added',
  'removed',
  'addresses',
  'protected',
  'reason',
  'console',
  'rows',
  'madeAt',
] as const

const BRAKES = ['device', 'account-address', 'account', 'address', 'secret'] as const
const ROLES = ['staff', 'manager', 'admin'] as const
/** Details that say by what somebody showed who they are, and our words for it. */
const WAYS: ReadonlySet<string> = new Set(['with', 'factor', 'type'])
const WAY_WORDS = {
  password: 'password',
  oidc: 'singleSignOn',
  passkey: 'passkey',
  totp: 'totp',
  'recovery-code': 'recoveryCode',
  'second-factor': 'secondFactor',
} as const
const PEOPLE: ReadonlySet<string> = new Set(['user', 'assignee', 'assigneeBefore', 'added', 'removed'])

/** A value as it is said on screen: people, schools, statuses and roles by name. */
function useValueWords(users: readonly User[]): (name: string, value: Value) => string {
  const t = useTranslations('activity.value')
  const common = useTranslations('common')
  const locale = useLocale()
  const format = useFormatter()
  const schools = useSchoolNames()
  const word = (name: string, text: string): string => {
    if (name === 'hour') return fullTime(Date.parse(text), locale)
    if (PEOPLE.has(name)) return users.find(({ id }) => id === text)?.name ?? text
    if (name === 'schools' && text !== 'all') return schools.byId(text)
    const status = LEAD_STATUSES.find((one) => one === text)
    if (status !== undefined) return common(`status.${status}`)
    if (WAYS.has(name) && Object.hasOwn(WAY_WORDS, text)) return t(WAY_WORDS[text as keyof typeof WAY_WORDS])
    const brake = name === 'brake' ? BRAKES.find((one) => one === text) : undefined
    if (brake !== undefined) return t(`brake.${brake}`)
    const role = name === 'role' || name === 'secondFactorFor' ? ROLES.find((one) => one === text) : undefined
    return role === undefined ? text : common(`role.${role}`)
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
