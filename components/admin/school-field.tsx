import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { type ReactNode, useId } from 'react'
import { useSchoolNames } from '@/components/desk/schools'
import { ChoiceList } from '@/components/ui/choice-list'
import { Loading } from '@/components/ui/load-failure'
import { highSchools } from '@/lib/api/queries'
import type { SchoolScope } from '@/lib/contract/user'

const MAX_NAMED_SCHOOLS = 2

export function useScopeText(): (schools: SchoolScope) => string {
  const t = useTranslations('adminUsers.schools')
  const names = useSchoolNames()
  return (schools) => {
    if (schools === 'all') return t('all')
    const isNamed = schools.length > 0 && schools.length <= MAX_NAMED_SCHOOLS
    return isNamed ? schools.map(names.byId).join(', ') : t('count', { count: schools.length })
  }
}

type SchoolFieldProps = {
  schools: SchoolScope
  error: string | undefined
  onSchools: (schools: SchoolScope) => void
}

export function SchoolField({ schools, error, onSchools }: SchoolFieldProps) {
  const t = useTranslations('adminUsers.schools')
  const found = useQuery(highSchools)
  const isAll = schools === 'all'
  const known = found.data?.highSchools.map(({ id, name }) => ({ value: id, label: name }))
  const removed = isAll ? [] : schools.filter((id) => !known?.some(({ value }) => value === id))
  return (
    <FieldGroup legend={t('legend')} error={error}>
      <Choice group="scope" label={t('all')} hint={t('allHint')} isChosen={isAll} onChoose={() => onSchools('all')} />
      <Choice group="scope" label={t('some')} isChosen={!isAll} onChoose={() => isAll && onSchools([])} />
      {!isAll && known === undefined && (
        <div className="p-3">
          <Loading found={found} className="h-5 w-40" />
        </div>
      )}
      {!isAll && known !== undefined && (
        <ChoiceList
          look="form"
          choices={[...removed.map((id) => ({ value: id, label: t('unknown', { id }) })), ...known]}
          chosen={schools}
          words={{ find: t('search') }}
          onChange={onSchools}
        />
      )}
    </FieldGroup>
  )
}

type FieldGroupProps = { legend: string; error?: string | undefined; children: ReactNode }

/** The fault is above them, because what is below may be long. */
export function FieldGroup({ legend, error, children }: FieldGroupProps) {
  const id = useId()
  return (
    <fieldset data-invalid={error && ''} aria-describedby={error && id}>
      <legend className="mb-1.5 text-sm font-medium">{legend}</legend>
      {error && (
        <p id={id} role="alert" className="mb-1.5 text-xs text-danger">
          {error}
        </p>
      )}
      <div className={`overflow-hidden rounded-md border ${error ? 'border-danger' : 'border-line'}`}>{children}</div>
    </fieldset>
  )
}

type ChoiceProps = { group: string; label: string; hint?: string; isChosen: boolean; onChoose: () => void }

export function Choice({ group, label, hint, isChosen, onChoose }: ChoiceProps) {
  const id = useId()
  return (
    <label className="flex min-h-9 items-center gap-3 border-b border-line-soft px-3 py-1.5 last:border-b-0 hover:bg-hover has-checked:bg-fill has-focus-visible:bg-hover touch:min-h-11">
      <input
        type="radio"
        name={group}
        aria-label={label}
        aria-describedby={hint && id}
        checked={isChosen}
        onChange={onChoose}
        className="size-4 shrink-0"
      />
      <span className="min-w-0">
        <span className="block text-sm font-medium">{label}</span>
        {hint && (
          <span id={id} className="block text-xs text-mute">
            {hint}
          </span>
        )}
      </span>
    </label>
  )
}
