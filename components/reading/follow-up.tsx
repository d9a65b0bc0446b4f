import { Download } from 'lucide-react'
import { useFormatter, useLocale, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { ActivityEntries } from '@/components/admin/activity-entries'
import { DeskLink, useNavigate } from '@/components/desk/navigate'
import { buttonClass } from '@/components/ui/button-class'
import { cn } from '@/components/ui/cn'
import { RowsTable } from '@/components/ui/data-table'
import { SectionHeading } from '@/components/ui/headings'
import { queryString } from '@/lib/api/send'
import type { ActivityItem, FollowedExport, PersonsHour, ReadingHour } from '@/lib/contract/activity'
import type { User } from '@/lib/contract/user'
import { fullTime } from '@/lib/time/format-date'

const TABS = { log: '/admin/activity', leads: '/admin/activity/leads', person: '/admin/activity/person' } as const

export function LogTabs({ here }: { here: keyof typeof TABS }) {
  const t = useTranslations('reading.tabs')
  return (
    <nav aria-label={t('label')} className="-my-1">
      <ul className="flex flex-wrap border-b border-line desk:gap-x-1">
        {(['log', 'leads', 'person'] as const).map((name) => (
          <li key={name}>
            <DeskLink
              href={TABS[name]}
              aria-current={name === here ? 'page' : undefined}
              className={cn(
                '-mb-px flex min-h-9 items-center border-b-2 px-2 text-sm font-medium desk:px-3 touch:min-h-11',
                name === here ? 'border-accent text-ink' : 'border-transparent text-mute hover:text-ink',
              )}
            >
              {t(name)}
            </DeskLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Each request is an entry in the log. */
export const ASKED_ONCE = { staleTime: Infinity, refetchOnWindowFocus: false, retry: false } as const

export function Summary({ text, file, children }: { text: string; file: string; children?: ReactNode }) {
  const t = useTranslations('reading.file')
  return (
    <div className="flex flex-wrap items-center gap-3">
      <p role="status" className="font-medium">
        {text}
      </p>
      <span className="ml-auto flex flex-wrap gap-2">
        {children}
        <a href={file} download className={buttonClass()}>
          <Download className="size-4" />
          {t('save')}
        </a>
      </span>
    </div>
  )
}

type PartProps = { id: string; title: string; hint?: string | undefined; none?: string | false; children: ReactNode }

function Part({ id, title, hint, none, children }: PartProps) {
  return (
    <section aria-labelledby={id}>
      <SectionHeading id={id} text={title} />
      {hint && <p className="-mt-1.5 mb-2.5 max-w-prose text-sm text-mute">{hint}</p>}
      {none ? <p className="text-sm text-mute">{none}</p> : children}
    </section>
  )
}

type EntriesProps = {
  id: string
  title: string
  none: string
  entries: readonly ActivityItem[]
  isCut: boolean
  users: readonly User[]
  leadsIn: 'log' | 'leads'
}

export function Entries({ id, title, none, entries, isCut, users, leadsIn }: EntriesProps) {
  const t = useTranslations('reading.leads')
  const navigate = useNavigate()
  return (
    <Part id={id} title={title} none={entries.length === 0 && none}>
      <ActivityEntries
        title={title}
        entries={entries}
        users={users}
        onSearch={(wanted) => navigate(TABS['kind' in wanted ? leadsIn : 'log'] + queryString(wanted))}
      />
      {isCut && <p className="mt-2 text-center text-xs text-mute">{t('cut')}</p>}
    </Part>
  )
}

type HoursProps = {
  title: string
  hint?: string
  hours: readonly (ReadingHour & Partial<PersonsHour>)[]
  hasPeople?: boolean
}

export function Hours({ title, hint, hours, hasPeople = false }: HoursProps) {
  const t = useTranslations('reading')
  const locale = useLocale()
  const format = useFormatter()
  if (hours.length === 0) return null
  const count = (name: 'listed' | 'opened' | 'searches') => ({
    name: t(`hours.${name}`),
    isNumber: true,
    cell: (hour: ReadingHour) => format.number(hour[name]),
  })
  return (
    <Part id="hours" title={title} hint={hint}>
      <RowsTable
        look="card"
        caption={title}
        label={t('tableOf', { title })}
        rows={hours}
        keyOf={({ user, hour }) => `${user?.id} ${hour}`}
        columns={[
          {
            name: t('hours.hour'),
            className: 'tabular whitespace-nowrap',
            cell: ({ hour, unusualAt }) => (
              <time dateTime={hour} className={unusualAt === null ? 'text-mute' : 'font-semibold'}>
                {fullTime(Date.parse(hour), locale)}
              </time>
            ),
          },
          hasPeople && { name: t('hours.who'), cell: ({ user }) => <bdi>{user?.name}</bdi> },
          count('listed'),
          count('opened'),
          count('searches'),
          { name: t('hours.reason'), className: 'min-w-40 wrap-anywhere', cell: (hour) => <Reason hour={hour} /> },
        ]}
      />
    </Part>
  )
}

function Reason({ hour: { unusualAt, reason } }: { hour: ReadingHour }) {
  const t = useTranslations('reading.hours')
  if (unusualAt === null) return <span className="text-mute">{t('usual')}</span>
  if (reason === null) return <span className="font-medium text-danger">{t('unanswered')}</span>
  return reason || t('unreadable')
}

export function Exports({ found, hasPeople = false }: { found: readonly FollowedExport[]; hasPeople?: boolean }) {
  const t = useTranslations('reading')
  const locale = useLocale()
  const format = useFormatter()
  const title = t('exports.title')
  return (
    <Part id="exports" title={title} none={found.length === 0 && t('exports.none')}>
      <RowsTable
        look="card"
        caption={title}
        label={t('tableOf', { title })}
        rows={found}
        keyOf={({ id }) => id}
        columns={[
          {
            name: t('exports.when'),
            className: 'tabular whitespace-nowrap text-mute',
            cell: ({ at }) => <time dateTime={at}>{fullTime(Date.parse(at), locale)}</time>,
          },
          hasPeople && { name: t('exports.who'), cell: ({ user }) => <bdi>{user?.name}</bdi> },
          { name: t('exports.format'), cell: (exported) => exported.format },
          { name: t('exports.count'), isNumber: true, cell: ({ count }) => format.number(count) },
          {
            name: t('exports.purpose'),
            className: 'min-w-40 wrap-anywhere',
            cell: ({ purpose }) => purpose || t('exports.unreadable'),
          },
        ]}
      />
    </Part>
  )
}
