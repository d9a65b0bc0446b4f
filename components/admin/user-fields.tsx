import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { type ReactNode, useId } from 'react'
import { Button } from '@/components/ui/button'
import { ChoiceList } from '@/components/ui/choice-list'
import { cn } from '@/components/ui/cn'
import { LoadFailure } from '@/components/ui/load-failure'
import { Skeleton } from '@/components/ui/loading'
import { highSchools } from '@/lib/api/queries'
import type { HighSchool } from '@/lib/contract/lead'
import type { Role, SchoolScope } from '@/lib/contract/user'

const ROLES = ['staff', 'manager', 'admin'] as const satisfies readonly Role[]

type RoleFieldProps = { role: Role; error?: string | undefined; onRole: (role: Role) => void }

/** One of the roles, each with what it may do. */
export function RoleField({ role, error, onRole }: RoleFieldProps) {
  const t = useTranslations('adminUsers')
  const common = useTranslations('common.role')
  return (
    <FieldGroup legend={t('field.role')} error={error}>
      <div className="flex flex-col overflow-hidden rounded-md border border-line">
        {ROLES.map((choice) => (
          <label
            key={choice}
            className="flex gap-3 border-b border-line-soft px-3 py-2 last:border-b-0 hover:bg-hover has-checked:bg-fill has-focus-visible:bg-hover"
          >
            <input
              type="radio"
              name="role"
              aria-label={common(choice)}
              checked={role === choice}
              onChange={() => onRole(choice)}
              className="mt-0.5 size-4 shrink-0"
            />
            <span className="min-w-0">
              <span className="block text-sm font-medium">{common(choice)}</span>
              <span className="block text-xs text-mute">{t(`roleHint.${choice}`)}</span>
            </span>
          </label>
        ))}
      </div>
    </FieldGroup>
  )
}

type FieldGroupProps = { legend: string; error: string | undefined; children: ReactNode }

/** Fields under one name; what is wrong stands above them, for what comes below may be long. */
function FieldGroup({ legend, error, children }: FieldGroupProps) {
  const id = useId()
  return (
    <fieldset
      data-invalid={error === undefined ? undefined : ''}
      aria-describedby={error === undefined ? undefined : id}
    >
      <legend className="mb-1.5 text-sm font-medium">{legend}</legend>
      {error !== undefined && (
        <p id={id} role="alert" className="mb-1.5 text-xs text-danger">
          {error}
        </p>
      )}
      {children}
    </fieldset>
  )
}

type SchoolFieldProps = {
  schools: SchoolScope
  error: string | undefined
  onSchools: (schools: SchoolScope) => void
}

/** All schools, also those to come, or chosen ones. */
export function SchoolField({ schools, error, onSchools }: SchoolFieldProps) {
  const t = useTranslations('adminUsers.schools')
  const { data, isError, refetch } = useQuery(highSchools)
  const known = data?.highSchools ?? []
  const isAll = schools === 'all'
  const gone = isAll ? [] : schools.filter((id) => data !== undefined && !known.some((school) => school.id === id))
  const choices = [...gone.map((id) => ({ id, name: t('unknown', { id }) })), ...known]
  return (
    <FieldGroup legend={t('legend')} error={error}>
      <div className={cn('overflow-hidden rounded-md border', error === undefined ? 'border-line' : 'border-danger')}>
        <Choice isChosen={isAll} hint={t('allHint')} onChoose={() => onSchools('all')}>
          {t('all')}
        </Choice>
        <Choice isChosen={!isAll} onChoose={() => isAll && onSchools([])}>
          {t('some')}
        </Choice>
        {!isAll && data !== undefined && <SchoolList choices={choices} chosen={schools} onChosen={onSchools} />}
        {!isAll && data === undefined && <NoSchoolsYet isError={isError} onRetry={() => void refetch()} />}
      </div>
    </FieldGroup>
  )
}

/** While the schools are on their way, or when they did not come. */
function NoSchoolsYet({ isError, onRetry }: { isError: boolean; onRetry: () => void }) {
  const t = useTranslations('adminUsers.schools')
  if (!isError) return <Skeleton className="m-3 h-5 w-40" />
  return (
    <LoadFailure className="p-3" onRetry={onRetry}>
      {t('failed')}
    </LoadFailure>
  )
}

type ChoiceProps = { isChosen: boolean; hint?: string; onChoose: () => void; children: ReactNode }

function Choice({ isChosen, hint, onChoose, children }: ChoiceProps) {
  return (
    <label className="flex min-h-9 items-center gap-3 border-b border-line-soft px-3 py-1.5 last:border-b-0 hover:bg-hover has-checked:bg-fill has-focus-visible:bg-hover touch:min-h-11">
      <input type="radio" name="scope" checked={isChosen} onChange={onChoose} className="size-4 shrink-0" />
      <span className="text-sm font-medium">{children}</span>
      {hint !== undefined && <span className="text-xs text-mute">{hint}</span>}
    </label>
  )
}

type SchoolListProps = {
  choices: readonly HighSchool[]
  chosen: readonly string[]
  onChosen: (chosen: string[]) => void
}

/** One box to tick for each school; all that a search finds can be ticked at once. */
function SchoolList({ choices, chosen, onChosen }: SchoolListProps) {
  const t = useTranslations('adminUsers.schools')
  return (
    <ChoiceList
      look="form"
      choices={choices.map(({ id, name }) => ({ value: id, label: name }))}
      chosen={chosen}
      words={{ find: t('search'), none: t('noMatch') }}
      onChange={onChosen}
      foot={(shown) => (
        <div className="flex items-center gap-1 border-t border-line-soft py-1 pr-1 pl-3 text-xs text-mute">
          <span role="status" className="flex-1">
            {t('chosen', { count: chosen.length })}
          </span>
          <Button
            variant="ghost"
            size="sm"
            onClick={() => onChosen([...new Set([...chosen, ...shown.map(({ value }) => value)])])}
          >
            {t('chooseShown')}
          </Button>
          <Button variant="ghost" size="sm" disabled={chosen.length === 0} onClick={() => onChosen([])}>
            {t('clear')}
          </Button>
        </div>
      )}
    />
  )
}
