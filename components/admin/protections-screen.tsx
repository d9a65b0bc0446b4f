'use client'

import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, ShieldCheck } from 'lucide-react'
import { useFormatter, useLocale, useTranslations } from 'next-intl'
import { LiftButton, PeopleButton } from '@/components/contact/protection'
import { DeskLink } from '@/components/desk/navigate'
import { useSchoolNames } from '@/components/desk/schools'
import { buttonClass } from '@/components/ui/button-class'
import { EmptyState } from '@/components/ui/empty-state'
import { OutdatedBanner } from '@/components/ui/notice'
import { PageHeader } from '@/components/ui/headings'
import { apiQuery } from '@/lib/api/call'
import type { ProtectionEntry, ProtectionsAnswer } from '@/lib/contract/rights'
import { fullTime } from '@/lib/time/format-date'

const protectionsQuery = { ...apiQuery('GET /api/protections'), refetchOnWindowFocus: true }
type NamedUser = ProtectionEntry['people'][number]

export function ProtectionsScreen({ initial }: { initial: ProtectionsAnswer }) {
  const t = useTranslations('rights.list')
  const { data, isError } = useQuery({ ...protectionsQuery, initialData: initial })
  const toUsers = (
    <DeskLink href="/admin/users" className={buttonClass({ variant: 'ghost' })}>
      <ArrowLeft className="size-4" />
      {t('users')}
    </DeskLink>
  )
  return (
    <div className="page">
      <PageHeader title={t('title')} lead={t('lead')} action={toUsers} />
      {isError && <OutdatedBanner />}
      {data.protections.length === 0 ? (
        <EmptyState icon={<ShieldCheck />} title={t('none')} hint={t('noneHint')} />
      ) : (
        <ul className="flex flex-col gap-3">
          {data.protections.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </ul>
      )}
    </div>
  )
}

function Entry({ entry }: { entry: ProtectionEntry }) {
  const t = useTranslations('rights.list')
  const locale = useLocale()
  const format = useFormatter()
  const schoolNames = useSchoolNames()
  const namesOf = (named: readonly NamedUser[]) => format.list(named.map(({ name }) => name || t('former')))
  const { id, since, by, people, shown: details, leads, schools } = entry
  const at = schools.length > 0 && ` ${t('at', { schools: format.list(schools.map(schoolNames.byId)) })}`
  return (
    <li className="rounded-lg border border-line bg-panel px-4 py-3.5 shadow-card">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h2 className="flex items-center gap-2 text-base font-semibold">
            <ShieldCheck className="size-4 shrink-0 text-accent" />
            <span>{leads === null ? t('unknown') : t('leads', { count: leads })}</span>
            {leads !== null && at}
          </h2>
          <p className="tabular text-sm text-mute">
            {t('since', { when: fullTime(Date.parse(since), locale) })}
            {by !== null && <> · {t('by', { name: namesOf([by]) })}</>}
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          {details?.contactId && (
            <DeskLink href={`/contacts/${details.contactId}`} className={buttonClass({ size: 'sm' })}>
              {t('show')}
            </DeskLink>
          )}
          <PeopleButton text={t('change')} id={id} people={people.map((user) => user.id)} />
          {/* It can be lifted here too: a person without leads has no contact page. */}
          {details !== null && <LiftButton id={id} />}
        </div>
      </div>
      <dl className="mt-2.5 text-sm">
        <dt className="text-faint">{t('people')}</dt>
        <dd className="font-medium wrap-anywhere">{namesOf(people)}</dd>
      </dl>
      <p className="mt-1.5 text-sm wrap-anywhere text-mute">
        {details === null ? t('hidden') : t('reason', { reason: details.reason })}
      </p>
    </li>
  )
}
