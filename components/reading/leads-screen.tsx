'use client'

import { useQuery } from '@tanstack/react-query'
import { Download, UserSearch } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { ActivityEntries } from '@/components/admin/activity-entries'
import { useUrlState } from '@/components/browser/url-state'
import { DeskLink, useGo } from '@/components/desk/go'
import { buttonClass } from '@/components/ui/button-class'
import { EmptyState } from '@/components/ui/empty-state'
import { LoadFailure } from '@/components/ui/load-failure'
import { Skeleton } from '@/components/ui/loading'
import { PageHeader } from '@/components/ui/page-header'
import { SectionHeading } from '@/components/ui/section-heading'
import { apiQuery, pathOf } from '@/lib/api/call'
import { ApiError, queryString } from '@/lib/api/send'
import type { LeadFollowUp } from '@/lib/contract/reading'
import type { LeadKind } from '@/lib/contract/lead'
import { LEAD_KINDS } from '@/lib/contract/lists'
import type { User } from '@/lib/contract/user'
import { FindPerson } from './find-person'
import { LogTabs } from './log-tabs'
import { FollowedExports, HoursTable } from './reading-tables'

/** Who has looked at a person's leads, when and why. The person is in the address by an opaque id. */
export function LeadsScreen({ users }: { users: readonly User[] }) {
  const t = useTranslations('reading.leads')
  const { search, write } = useUrlState()
  const person = personIn(search)
  return (
    <div className="page">
      <PageHeader title={t('title')} lead={t('lead')} />
      <LogTabs here="leads" />
      <FindPerson onChoose={(contact) => write({ contact: [contact], kind: [], id: [] }, 'push')} />
      {person === null ? (
        <EmptyState icon={<UserSearch />} title={t('chooseTitle')}>
          {t('choose')}
        </EmptyState>
      ) : (
        <Followed person={person} users={users} />
      )}
    </div>
  )
}

/** A contact, or the person of one lead. */
type FollowedPerson = { contact: string } | { kind: LeadKind; id: string }

function personIn(search: URLSearchParams): FollowedPerson | null {
  const [contact, id] = [search.get('contact'), search.get('id')]
  if (contact !== null) return { contact }
  const kind = LEAD_KINDS.find((one) => one === search.get('kind'))
  return kind === undefined || id === null ? null : { kind, id }
}

/** For each asking stands in the log. */
export const ASKED_ONCE = { staleTime: Infinity, refetchOnWindowFocus: false, retry: false } as const

function Followed({ person, users }: { person: FollowedPerson; users: readonly User[] }) {
  const t = useTranslations('reading')
  const { data, error, refetch } = useQuery({
    ...apiQuery('GET /api/log-follow-up/leads', { query: person }),
    ...ASKED_ONCE,
  })
  if (error instanceof ApiError && error.kind === 'not-found')
    return <EmptyState icon={<UserSearch />} title={t('leads.gone')} />
  if (error !== null) return <LoadFailure onRetry={() => void refetch()}>{t('failed')}</LoadFailure>
  if (data === undefined) return <Skeleton className="h-40 w-full" />
  return (
    <>
      <Summary person={person} found={data} />
      {data.isProtected && <p className="max-w-prose text-sm text-mute">{t('leads.protected')}</p>}
      <Done found={data} users={users} />
      <Part id="exports" title={t('exports.title')} isEmpty={data.exports.length === 0} empty={t('exports.none')}>
        <FollowedExports caption={t('exports.title')} exports={data.exports} hasPeople />
      </Part>
      {data.hours.length > 0 && (
        <Part id="hours" title={t('hours.title')} hint={t('hours.hint')}>
          <HoursTable caption={t('hours.title')} hours={data.hours} hasPeople />
        </Part>
      )}
    </>
  )
}

const OPENED: ReadonlySet<string> = new Set(['lead-opened', 'contact-opened'])

function Summary({ person, found }: { person: FollowedPerson; found: LeadFollowUp }) {
  const t = useTranslations('reading')
  const people = new Set(found.entries.flatMap(({ action, user }) => (OPENED.has(action) ? (user?.id ?? []) : [])))
  return (
    <div className="flex flex-wrap items-center gap-3">
      <p role="status" className="font-medium">
        {t('leads.found', { leads: found.leads.length, people: people.size })}
      </p>
      <span className="ml-auto flex flex-wrap gap-2">
        {'contact' in person && !found.isProtected && (
          <DeskLink href={`/contacts/${encodeURIComponent(person.contact)}`} className={buttonClass()}>
            {t('leads.contact')}
          </DeskLink>
        )}
        <a
          href={pathOf('GET /api/log-follow-up/leads', { query: { ...person, format: 'csv' } })}
          download
          className={buttonClass()}
        >
          <Download aria-hidden className="size-4" />
          {t('file.save')}
        </a>
      </span>
    </div>
  )
}

function Done({ found: { entries, isCut }, users }: { found: LeadFollowUp; users: readonly User[] }) {
  const t = useTranslations('reading.leads')
  const go = useGo()
  return (
    <Part id="done" title={t('done')} isEmpty={entries.length === 0} empty={t('none')}>
      <ActivityEntries
        title={t('done')}
        entries={entries}
        users={users}
        onSearch={({ user, kind, id }) => {
          const wanted = { user: user ?? undefined, kind: kind ?? undefined, id: id ?? undefined }
          go(`/admin/activity${queryString(wanted)}`)
        }}
      />
      {isCut && <p className="mt-2 text-center text-xs text-mute">{t('cut')}</p>}
    </Part>
  )
}

type PartProps = {
  id: string
  title: string
  hint?: string
  isEmpty?: boolean
  empty?: string
  children: ReactNode
}

/** A part of what was found, or that there is nothing of it. */
export function Part({ id, title, hint, isEmpty = false, empty, children }: PartProps) {
  return (
    <section aria-labelledby={id}>
      <SectionHeading id={id} level={2}>
        {title}
      </SectionHeading>
      {hint !== undefined && <p className="-mt-1.5 mb-2.5 max-w-prose text-sm text-mute">{hint}</p>}
      {isEmpty ? <p className="text-sm text-mute">{empty}</p> : children}
    </section>
  )
}
