'use client'

import { useFormatter, useTranslations } from 'next-intl'
import { useSchoolNames } from '@/components/inbox/use-school-names'
import type { ActivityItem } from '@/lib/contract/activity'
import type { User } from '@/lib/contract/user'
import { STATUSES } from '@/lib/inbox/filter-params'

const KNOWN = [
  'user',
  'role',
  'schools',
  'disabled',
  'with',
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
] as const
const ROLES = ['staff', 'manager', 'admin'] as const
const PEOPLE: ReadonlySet<string> = new Set(['user', 'assignee', 'assigneeBefore'])

type Details = ActivityItem['details']
type Value = Details[string]

/** What else the log holds of an entry. What we have no word for stands as it was written. */
export function ActivityDetails({ details, users }: { details: Details; users: readonly User[] }) {
  const t = useTranslations('activity.detail')
  const say = useValueWords(users)
  const entries = Object.entries(details)
  if (entries.length === 0) return null
  return (
    <dl className="flex flex-wrap gap-x-3 text-xs text-mute">
      {entries.map(([name, value]) => {
        const known = KNOWN.find((word) => word === name)
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

function useValueWords(users: readonly User[]): (name: string, value: Value) => string {
  const t = useTranslations('activity.value')
  const common = useTranslations('common')
  const format = useFormatter()
  const schools = useSchoolNames()
  const word = (name: string, text: string): string => {
    if (PEOPLE.has(name)) return users.find(({ id }) => id === text)?.name ?? text
    if (name === 'schools' && text !== 'all') return schools.byId(text)
    const status = STATUSES.find((one) => one === text)
    if (status !== undefined) return common(`status.${status}`)
    if (name === 'with' && text === 'password') return t('password')
    if (name === 'with' && text === 'oidc') return t('singleSignOn')
    const role = name === 'role' ? ROLES.find((one) => one === text) : undefined
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
