'use client'

import { useTranslations } from 'next-intl'
import type { inferParserType } from 'nuqs'
import type { FormEvent, ReactNode } from 'react'
import { Button } from '@/components/ui/button'
import { inputClass } from '@/components/ui/input'
import type { User } from '@/lib/contract/user'
import { ACTIONS, activityParams } from './activity-search'

export type ActivityParams = inferParserType<typeof activityParams>

type ActivityFiltersProps = {
  params: ActivityParams
  users: readonly User[]
  onSearch: (next: Partial<ActivityParams>) => void
}

/** A choice counts at once; an id when it is sent. */
export function ActivityFilters({ params, users, onSearch }: ActivityFiltersProps) {
  const t = useTranslations('activity')
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const id = String(new FormData(event.currentTarget).get('id')).trim()
    onSearch({ id: id === '' ? null : id })
  }
  const isFiltered = Object.values(params).some((value) => value !== null)
  return (
    <form onSubmit={submit} className="grid grid-cols-2 items-end gap-3 desk:grid-cols-[1fr_1fr_11rem_1.2fr_auto]">
      <Choice label={t('user')} value={params.user} any={t('anyUser')} onChoose={(user) => onSearch({ user })}>
        {users.map(({ id, name, email }) => (
          <option key={id} value={id}>
            {name} ({email})
          </option>
        ))}
      </Choice>
      <Choice
        label={t('action')}
        value={params.action}
        any={t('anyAction')}
        onChoose={(action) => onSearch({ action })}
      >
        {ACTIONS.map((action) => (
          <option key={action} value={action}>
            {t(`name.${action}`)}
          </option>
        ))}
      </Choice>
      <KindChoice kind={params.kind} onKind={(kind) => onSearch({ kind })} />
      <LeadIdField id={params.id} />
      <span className="flex gap-2">
        <Button type="submit" size="lg" className="h-9">
          {t('search')}
        </Button>
        <Button
          variant="ghost"
          size="lg"
          className="h-9"
          disabled={!isFiltered}
          onClick={() => onSearch({ user: null, kind: null, id: null, action: null })}
        >
          {t('clear')}
        </Button>
      </span>
    </form>
  )
}

type Kind = ActivityParams['kind']

function KindChoice({ kind, onKind }: { kind: Kind; onKind: (kind: Kind) => void }) {
  const t = useTranslations('activity')
  return (
    <Choice
      label={t('kind')}
      value={kind}
      any={t('anyKind')}
      onChoose={(chosen) => onKind(activityParams.kind.parse(chosen ?? ''))}
    >
      <option value="asked-question">{t('kindOf.asked-question')}</option>
      <option value="declaration-of-interest">{t('kindOf.declaration-of-interest')}</option>
    </Choice>
  )
}

function LeadIdField({ id }: { id: string | null }) {
  const t = useTranslations('activity')
  return (
    <label className="flex min-w-0 flex-col gap-1.5 text-sm font-medium">
      {t('leadId')}
      <input
        name="id"
        defaultValue={id ?? ''}
        placeholder={t('leadIdHint')}
        autoComplete="off"
        spellCheck={false}
        className={`${inputClass} font-normal`}
      />
    </label>
  )
}

type ChoiceProps = {
  label: string
  value: string | null
  any: string
  onChoose: (value: string | null) => void
  children: ReactNode
}

function Choice({ label, value, any, onChoose, children }: ChoiceProps) {
  return (
    <label className="flex min-w-0 flex-col gap-1.5 text-sm font-medium">
      {label}
      <select
        value={value ?? ''}
        onChange={(event) => onChoose(event.target.value === '' ? null : event.target.value)}
        className={`${inputClass} font-normal`}
      >
        <option value="">{any}</option>
        {children}
      </select>
    </label>
  )
}
