'use client'

import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { highSchools } from '@/lib/api/high-schools'
import type { SchoolScope } from '@/lib/contract/user'
import { UsersSchoolList } from './users-school-list'

type UsersSchoolFieldProps = {
  schools: SchoolScope
  error: string | undefined
  onSchools: (schools: SchoolScope) => void
}

/** All schools, also those to come, or chosen ones. */
export function UsersSchoolField({ schools, error, onSchools }: UsersSchoolFieldProps) {
  const t = useTranslations('adminUsers.schools')
  const { data } = useQuery(highSchools())
  const known = data?.highSchools ?? []
  const isAll = schools === 'all'
  const gone = isAll ? [] : schools.filter((id) => data !== undefined && !known.some((school) => school.id === id))
  const choices = [...gone.map((id) => ({ id, name: t('unknown', { id }) })), ...known]
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">{t('legend')}</legend>
      <div className="overflow-hidden rounded-md border border-line">
        <Choice isChosen={isAll} hint={t('allHint')} onChoose={() => onSchools('all')}>
          {t('all')}
        </Choice>
        <Choice isChosen={!isAll} onChoose={() => isAll && onSchools([])}>
          {t('some')}
        </Choice>
        {!isAll && <UsersSchoolList choices={choices} chosen={schools} onChosen={onSchools} />}
      </div>
      {error !== undefined && (
        <p role="alert" className="mt-1.5 text-xs text-danger">
          {error}
        </p>
      )}
    </fieldset>
  )
}

type ChoiceProps = { isChosen: boolean; hint?: string; onChoose: () => void; children: ReactNode }

function Choice({ isChosen, hint, onChoose, children }: ChoiceProps) {
  return (
    <label className="flex min-h-9 items-center gap-3 border-b border-line-soft px-3 py-1.5 last:border-b-0 hover:bg-hover has-checked:bg-accent-soft has-focus-visible:bg-hover touch:min-h-11">
      <input type="radio" name="scope" checked={isChosen} onChange={onChoose} className="size-4 shrink-0" />
      <span className="text-sm font-medium">{children}</span>
      {hint !== undefined && <span className="text-xs text-mute">{hint}</span>}
    </label>
  )
}
