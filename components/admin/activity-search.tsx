import { useTranslations } from 'next-intl'
import type { FormEvent, ReactNode } from 'react'
import { singleValues, useUrlState } from '@/components/browser/url-state'
import { Button } from '@/components/ui/button'
import { inputClass, Select } from '@/components/ui/field'
import { ACTIVITY_ACTIONS, type ActivityAction } from '@/lib/contract/activity-actions'
import type { LeadKind } from '@/lib/contract/lead'
import { LEAD_KINDS } from '@/lib/contract/lists'
import type { User } from '@/lib/contract/user'

/** What is looked for in the log: ids only, so that the address can be passed on. */
export type ActivityParams = {
  user: string | null
  kind: LeadKind | null
  id: string | null
  action: string | null
}

export const NO_FILTER: ActivityParams = { user: null, kind: null, id: null, action: null }

/** The search, which stands in the URL. */
export function useActivityParams(): [ActivityParams, (change: Partial<ActivityParams>) => void] {
  const { search, write } = useUrlState()
  const params = {
    user: search.get('user'),
    kind: kindIn(search.get('kind')),
    id: search.get('id'),
    action: search.get('action'),
  }
  return [params, (change) => write(singleValues(change), 'push')]
}

function kindIn(text: string | null): LeadKind | null {
  return LEAD_KINDS.find((kind) => kind === text) ?? null
}

type ActivityFiltersProps = {
  params: ActivityParams
  users: readonly User[]
  onSearch: (next: Partial<ActivityParams>) => void
}

/** The form above the log: a choice counts at once, an id when it is sent. */
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
        {ACTIVITY_ACTIONS.map((action) => (
          <option key={action} value={action}>
            {t(`name.${action}`)}
          </option>
        ))}
      </Choice>
      <KindChoice kind={params.kind} onKind={(kind) => onSearch({ kind })} />
      <LeadIdField id={params.id} />
      <span className="flex gap-2">
        <Button type="submit" className="min-h-9">
          {t('search')}
        </Button>
        <Button variant="ghost" className="min-h-9" disabled={!isFiltered} onClick={() => onSearch(NO_FILTER)}>
          {t('clear')}
        </Button>
      </span>
    </form>
  )
}

type KindChoiceProps = { kind: LeadKind | null; onKind: (kind: LeadKind | null) => void }

function KindChoice({ kind, onKind }: KindChoiceProps) {
  const t = useTranslations('activity')
  return (
    <Choice label={t('kind')} value={kind} any={t('anyKind')} onChoose={(chosen) => onKind(kindIn(chosen))}>
      {LEAD_KINDS.map((each) => (
        <option key={each} value={each}>
          {t(`kindOf.${each}`)}
        </option>
      ))}
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
      <Select
        value={value ?? ''}
        onChange={(event) => onChoose(event.target.value === '' ? null : event.target.value)}
        className="font-normal"
      >
        <option value="">{any}</option>
        {children}
      </Select>
    </label>
  )
}

export function isAction(text: string): text is ActivityAction {
  return ACTIVITY_ACTIONS.some((action) => action === text)
}
