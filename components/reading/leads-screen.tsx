'use client'

import { useQuery } from '@tanstack/react-query'
import { UserSearch } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useUrlState } from '@/components/browser/url-state'
import { DeskLink } from '@/components/desk/navigate'
import { useSchoolNames } from '@/components/desk/schools'
import { distinctPeople, useLeadSearch } from '@/components/palette/found-leads'
import { buttonClass } from '@/components/ui/button-class'
import { EmptyState } from '@/components/ui/empty-state'
import { TextField } from '@/components/ui/field'
import { Loading } from '@/components/ui/load-failure'
import { PageHeader } from '@/components/ui/headings'
import { apiQuery, pathOf } from '@/lib/api/call'
import { ApiError } from '@/lib/api/send'
import type { LeadRef } from '@/lib/contract/lead'
import { LEAD_KINDS } from '@/lib/contract/lists'
import type { User } from '@/lib/contract/user'
import { nameOf } from '@/lib/inbox/lead-text'
import { ASKED_ONCE, Entries, Exports, Hours, LogTabs, Summary } from './follow-up'

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
        <EmptyState icon={<UserSearch />} title={t('chooseTitle')} hint={t('choose')} />
      ) : (
        <Followed person={person} users={users} />
      )}
    </div>
  )
}

type FollowedPerson = { contact: string } | LeadRef

function personIn(search: URLSearchParams): FollowedPerson | null {
  const [contact, id] = [search.get('contact'), search.get('id')]
  if (contact !== null) return { contact }
  const kind = LEAD_KINDS.find((each) => each === search.get('kind'))
  return kind === undefined || id === null ? null : { kind, id }
}

/** Finds a person among the leads by name, e-mail or phone; the text stays out of the address. */
function FindPerson({ onChoose }: { onChoose: (contact: string) => void }) {
  const t = useTranslations('reading.leads')
  const schools = useSchoolNames()
  const [text, setText] = useState('')
  const { isSearchable, isSearching, hasFailed, leads } = useLeadSearch(text, true)
  const people = distinctPeople(leads.flatMap(({ items }) => items))
  const choose = (contact: string) => {
    setText('')
    onChoose(contact)
  }
  return (
    <section className="max-w-xl">
      <TextField
        label={t('find')}
        hint={t('findHint')}
        type="search"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <p role="status" className="mt-2 min-h-5 text-sm text-mute">
        {isSearching && <span>{t('searching')}</span>}
        {hasFailed && <span>{t('searchFailed')}</span>}
        {isSearchable && !isSearching && !hasFailed && people.length === 0 && <span>{t('nobody')}</span>}
      </p>
      {people.length > 0 && (
        <ul className="overflow-hidden rounded-lg border border-line bg-panel shadow-card">
          {people.map((item) => (
            <li key={item.contactId} className="border-b border-line-soft last:border-b-0">
              <button
                type="button"
                onClick={() => choose(item.contactId)}
                className="flex min-h-11 w-full flex-wrap items-center justify-between gap-x-4 px-3.5 py-2 text-left text-sm hover:bg-hover"
              >
                <bdi className="font-medium wrap-anywhere">{nameOf(item)}</bdi>
                <span className="text-mute">{schools.byId(item.highSchoolId)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const OPENED: ReadonlySet<string> = new Set(['lead-opened', 'contact-opened'])

function Followed({ person, users }: { person: FollowedPerson; users: readonly User[] }) {
  const t = useTranslations('reading')
  const found = useQuery({
    ...apiQuery('GET /api/log-follow-up/leads', { query: person }),
    ...ASKED_ONCE,
  })
  const { data } = found
  if (found.error instanceof ApiError && found.error.kind === 'not-found')
    return <EmptyState icon={<UserSearch />} title={t('leads.gone')} />
  if (data === undefined) return <Loading found={found} failed={t('failed')} className="h-40 w-full" />
  const { entries, leads, isProtected } = data
  const openers = new Set(entries.flatMap(({ action, user }) => (OPENED.has(action) ? (user?.id ?? []) : [])))
  return (
    <>
      <Summary
        text={t('leads.found', { leads: leads.length, people: openers.size })}
        file={pathOf('GET /api/log-follow-up/leads', { query: { ...person, format: 'csv' } })}
      >
        {'contact' in person && !isProtected && (
          <DeskLink href={`/contacts/${encodeURIComponent(person.contact)}`} className={buttonClass()}>
            {t('leads.contact')}
          </DeskLink>
        )}
      </Summary>
      {isProtected && <p className="max-w-prose text-sm text-mute">{t('leads.protected')}</p>}
      <Entries
        id="done"
        title={t('leads.done')}
        none={t('leads.none')}
        entries={entries}
        isCut={data.isCut}
        users={users}
        leadsIn="log"
      />
      <Exports found={data.exports} hasPeople />
      <Hours title={t('hours.title')} hint={t('hours.hint')} hours={data.hours} hasPeople />
    </>
  )
}
