'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowLeft, ShieldCheck } from 'lucide-react'
import { useFormatter, useLocale, useTranslations } from 'next-intl'
import { type FormEvent, useState } from 'react'
import { PeopleChoice } from '@/components/contact/protect-dialog'
import { LiftDialog } from '@/components/contact/rights-shield'
import { useCurrentUser } from '@/components/desk/current-user'
import { DeskLink } from '@/components/desk/go'
import { useSchoolNames } from '@/components/desk/schools'
import { Button } from '@/components/ui/button'
import { buttonClass } from '@/components/ui/button-class'
import { Dialog } from '@/components/ui/dialog'
import { FormFrame } from '@/components/ui/dialog-frame'
import { EmptyState } from '@/components/ui/empty-state'
import { Notice } from '@/components/ui/notice'
import { PageHeader } from '@/components/ui/page-header'
import { api, apiQuery } from '@/lib/api/call'
import type { ProtectionEntry, ProtectionsAnswer } from '@/lib/contract/rights'
import { fullTime } from '@/lib/time/format-date'

const protectionsQuery = { ...apiQuery('GET /api/protections'), refetchOnWindowFocus: true }

/** Whose identity is protected: since when, by whom, and who may see it; who it is only for those. `first` came with the page. */
export function ProtectionsScreen({ first }: { first: ProtectionsAnswer }) {
  const t = useTranslations('rights.list')
  const { data, isError } = useQuery({ ...protectionsQuery, initialData: first })
  const [changed, setChanged] = useState<ProtectionEntry | null>(null)
  return (
    <div className="page">
      <PageHeader
        title={t('title')}
        lead={t('lead')}
        action={
          <DeskLink href="/admin/users" className={buttonClass({ variant: 'ghost' })}>
            <ArrowLeft aria-hidden className="size-4" />
            {t('users')}
          </DeskLink>
        }
      />
      {isError && (
        <Notice size="banner" role="alert">
          {t('stale')}
        </Notice>
      )}
      {data.protections.length === 0 ? (
        <EmptyState icon={<ShieldCheck />} title={t('none')}>
          {t('noneHint')}
        </EmptyState>
      ) : (
        <ul className="flex flex-col gap-3">
          {data.protections.map((entry) => (
            <Entry key={entry.id} entry={entry} onChange={() => setChanged(entry)} />
          ))}
        </ul>
      )}
      {changed !== null && <PeopleDialog entry={changed} people={data.people} onClose={() => setChanged(null)} />}
    </div>
  )
}

type Named = ProtectionEntry['people'][number]

function useNames(): (people: readonly Named[]) => string {
  const t = useTranslations('rights.list')
  const format = useFormatter()
  return (people) => format.list(people.map(({ name }) => name || t('former')))
}

function Entry({ entry, onChange }: { entry: ProtectionEntry; onChange: () => void }) {
  const t = useTranslations('rights.list')
  const locale = useLocale()
  const namesOf = useNames()
  const { shown } = entry
  return (
    <li className="rounded-lg border border-line bg-panel px-4 py-3.5 shadow-card">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h2 className="flex items-center gap-2 text-base font-semibold">
            <ShieldCheck aria-hidden className="size-4 shrink-0 text-accent" />
            <Leads entry={entry} />
          </h2>
          <p className="tabular text-sm text-mute">
            {t('since', { when: fullTime(Date.parse(entry.since), locale) })}
            {entry.by !== null && <> · {t('by', { name: entry.by.name || t('former') })}</>}
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          {shown !== null && shown.contactId !== null && (
            <DeskLink href={`/contacts/${shown.contactId}`} className={buttonClass({ size: 'sm' })}>
              {t('show')}
            </DeskLink>
          )}
          <Button size="sm" onClick={onChange}>
            {t('change')}
          </Button>
          {shown !== null && <Lift id={entry.id} />}
        </div>
      </div>
      <dl className="mt-2.5 text-sm">
        <dt className="text-faint">{t('people')}</dt>
        <dd className="font-medium wrap-anywhere">{namesOf(entry.people)}</dd>
      </dl>
      <p className="mt-1.5 text-sm wrap-anywhere text-mute">
        {shown === null ? t('hidden') : t('reason', { reason: shown.reason })}
      </p>
      <Changes changes={entry.changes} />
    </li>
  )
}

/** Also for somebody who has no lead left, and so no page. */
function Lift({ id }: { id: string }) {
  const t = useTranslations('rights.shield')
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button size="sm" variant="ghost" onClick={() => setAsking(true)}>
        {t('lift')}
      </Button>
      {isAsking && <LiftDialog id={id} onClose={() => setAsking(false)} />}
    </>
  )
}

function Leads({ entry: { leads, schools } }: { entry: ProtectionEntry }) {
  const t = useTranslations('rights.list')
  const format = useFormatter()
  const names = useSchoolNames()
  if (leads === null) return t('unknown')
  const at = schools.length === 0 ? '' : ` ${t('at', { schools: format.list(schools.map(names.byId)) })}`
  return t('leads', { count: leads }) + at
}

/** Who named whom: an administrator who named themselves does not pass unseen. */
function Changes({ changes }: Pick<ProtectionEntry, 'changes'>) {
  const t = useTranslations('rights.list')
  const locale = useLocale()
  const namesOf = useNames()
  const said = ({ by, added, removed, self }: ProtectionEntry['changes'][number]) => {
    const others = added.filter(({ id }) => id !== by.id)
    const name = by.name || t('former')
    return [
      ...(self ? [t('self', { by: name })] : []),
      ...(others.length > 0 ? [t('added', { by: name, people: namesOf(others) })] : []),
      ...(removed.length > 0 ? [t('removed', { by: name, people: namesOf(removed) })] : []),
    ]
  }
  return (
    <details className="mt-2 text-sm">
      <summary className="min-h-6 cursor-pointer text-mute touch:min-h-11">{t('changes')}</summary>
      <ul className="mt-1 flex flex-col gap-1">
        {changes.map((change) => (
          <li key={change.at} className="wrap-anywhere">
            <span className="tabular text-mute">{fullTime(Date.parse(change.at), locale)}</span>{' '}
            {said(change).join(', ')}
          </li>
        ))}
      </ul>
    </details>
  )
}

type PeopleDialogProps = { entry: ProtectionEntry; people: readonly Named[]; onClose: () => void }

/** Other people for a protection, also by an administrator who is not among them. */
function PeopleDialog({ entry, people, onClose }: PeopleDialogProps) {
  const t = useTranslations('rights.form')
  const common = useTranslations('common')
  const client = useQueryClient()
  const me = useCurrentUser()
  const [chosen, setChosen] = useState<readonly string[]>(entry.people.map(({ id }) => id))
  const { mutate, isPending, isError } = useMutation({
    mutationFn: () => api('PATCH /api/protections/[id]', { params: { id: entry.id }, body: { people: [...chosen] } }),
    onSuccess: async () => {
      await client.invalidateQueries()
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (chosen.length > 0) mutate()
  }
  const problem = isError ? t('failed') : chosen.length === 0 ? t('noPeople') : null
  return (
    <Dialog open onClose={onClose} title={t('changeTitle')}>
      <form noValidate onSubmit={submit} className="flex min-h-0 flex-col">
        <FormFrame
          problem={problem}
          actions={
            <>
              <Button onClick={onClose}>{common('cancel')}</Button>
              <Button type="submit" variant="primary" busy={isPending}>
                {t('change')}
              </Button>
            </>
          }
        >
          <PeopleChoice people={people} chosen={chosen} onChange={setChosen} />
          {me !== null && chosen.includes(me.id) && <Notice size="xs">{t('self')}</Notice>}
        </FormFrame>
      </form>
    </Dialog>
  )
}
