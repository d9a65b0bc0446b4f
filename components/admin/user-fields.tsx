import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { Button } from '@/components/ui/button'
import { ChoiceList } from '@/components/ui/choice-list'
import { highSchools } from '@/lib/api/list-choices'
import type { HighSchool } from '@/lib/contract/lead'
import type { Role, SchoolScope } from '@/lib/contract/user'

const ROLES = ['staff', 'manager', 'admin'] as const satisfies readonly Role[]

/** One of the roles, each with what it may do. */
export function RoleField({ role, onRole }: { role: Role; onRole: (role: Role) => void }) {
  const t = useTranslations('adminUsers')
  const common = useTranslations('common.role')
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">{t('field.role')}</legend>
      <div className="flex flex-col overflow-hidden rounded-md border border-line">
        {ROLES.map((choice) => (
          <label
            key={choice}
            className="flex gap-3 border-b border-line-soft px-3 py-2 last:border-b-0 hover:bg-hover has-checked:bg-accent-soft has-focus-visible:bg-hover"
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
        {!isAll && <SchoolList choices={choices} chosen={schools} onChosen={onSchools} />}
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
