'use client'

import { useQuery } from '@tanstack/react-query'
import { Info } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useToday } from '@/components/inbox/use-today'
import { contact as contactQuery } from '@/lib/api/contacts'
import { ApiError } from '@/lib/api/api-error'
import type { Contact } from '@/lib/contract/contact'
import { stockholmDay } from '@/lib/time/stockholm-day'
import { ContactGone } from './contact-gone'
import { ContactLeads } from './contact-leads'
import { ContactWays } from './contact-ways'
import { MinorMark } from './minor-mark'
import { minorOf } from './minor-of'
import { personOf } from './person-of'

/** A person, as far as their leads tell: names as given, ways to reach them, every lead within reach with its notes. */
export function ContactScreen({ first }: { first: Contact }) {
  const t = useTranslations('contact')
  const { data, error } = useQuery({ ...contactQuery(first.id), initialData: first })
  const thisYear = Number(stockholmDay(useToday()).slice(0, 4))
  const { leads, total } = data
  const [newest] = leads
  if (newest === undefined || (error instanceof ApiError && error.kind === 'not-found')) return <ContactGone />
  const person = personOf(leads)
  const all = leads.map(({ lead }) => lead)
  const [name, ...otherNames] = person.names
  return (
    <article className="@container mx-auto flex max-w-4xl flex-col gap-6 p-4 desk:px-8 desk:py-7">
      <header>
        <p className="text-sm text-mute">{t('title')}</p>
        <h1 dir="auto" className="text-start text-xl font-semibold wrap-anywhere">
          {name ?? person.emails[0] ?? person.phones[0] ?? <span className="text-faint italic">{t('unnamed')}</span>}
        </h1>
        {otherNames.length > 0 && <OtherNames names={otherNames} />}
        <p className="mt-1.5 flex flex-wrap items-center gap-2 text-sm text-mute">
          <span className="tabular">{t('leads', { count: total })}</span>
          <MinorMark minor={minorOf(newest.lead, all, thisYear)} />
        </p>
      </header>
      {error !== null && (
        <p role="alert" className="rounded-md bg-warn px-4 py-2.5 text-sm text-warn-ink">
          {t('outdated')}
        </p>
      )}
      <ContactWays leads={leads} person={person} />
      <ContactLeads contact={data} />
      {leads.length > 1 && (
        <p className="flex gap-2 text-xs text-mute">
          <Info aria-hidden className="size-4 shrink-0" />
          {t('separate')}
        </p>
      )}
    </article>
  )
}

function OtherNames({ names }: { names: readonly string[] }) {
  const t = useTranslations('contact')
  return (
    <p className="mt-1 flex flex-wrap items-baseline gap-x-2 text-sm text-mute">
      {t('alsoNamed')}
      {names.map((name) => (
        <bdi key={name} className="font-medium text-ink wrap-anywhere">
          {name}
        </bdi>
      ))}
    </p>
  )
}
