import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { type ReactNode, useId } from 'react'
import { useSchoolNames } from '@/components/app/schools'
import { ChoiceList } from '@/components/ui/choice-list'
import { LoadingOrFailure } from '@/components/ui/load-failure'
import { highSchoolsQuery } from '@/lib/api/queries'
import { ROLES } from '@/lib/contract/roles'
import type { User } from '@/lib/contract/user'

export type RoleAndSchools = Pick<User, 'role' | 'schools'>

type AccessFieldsProps = {
  access: RoleAndSchools
  /** What single sign-on sets is read-only here, and is changed at the provider. */
  singleSignOn?: User['singleSignOn']
  errors: { role?: string | undefined; schools?: string | undefined }
  onChange: (part: Partial<RoleAndSchools>) => void
  /** Notes about the chosen role, which stand between it and the schools. */
  children?: ReactNode
}

export function AccessFields({ access, singleSignOn, errors, onChange, children }: AccessFieldsProps) {
  const { role, schools } = access
  const t = useTranslations('adminUsers')
  const roleName = useTranslations('common.role')
  const { nameById } = useSchoolNames()
  const schoolsQuery = useQuery(highSchoolsQuery)
  const knownSchools = schoolsQuery.data?.highSchools.map(({ id, name }) => ({ value: id, label: name }))
  const isAll = schools === 'all'
  const removedIds = (isAll ? [] : schools).filter((id) => !knownSchools?.some(({ value }) => value === id))
  const removedSchools = removedIds.map((id) => ({ value: id, label: t('schools.unknown', { id }) }))
  const schoolsText = isAll ? t('schools.all') : schools.map(nameById).join(', ') || t('schools.count', { count: 0 })
  return (
    <>
      {(singleSignOn?.role || singleSignOn?.schools) && <p className="text-xs text-mute">{t('signOn.given')}</p>}
      <RadioGroup
        legend={t('field.role')}
        error={errors.role}
        fixedText={singleSignOn?.role && roleName(role)}
        choices={ROLES.map((value) => ({ value, label: roleName(value), hint: t(`roleHint.${value}`) }))}
        value={role}
        onChoose={(chosen) => onChange({ role: chosen })}
      />
      {children}
      <RadioGroup
        legend={t('schools.legend')}
        error={errors.schools}
        fixedText={singleSignOn?.schools && schoolsText}
        choices={[
          { value: 'all', label: t('schools.all'), hint: t('schools.allHint') },
          { value: 'some', label: t('schools.some') },
        ]}
        value={isAll ? 'all' : 'some'}
        onChoose={(chosen) => onChange({ schools: chosen === 'all' ? 'all' : [] })}
      >
        {!isAll && !knownSchools && <LoadingOrFailure query={schoolsQuery} className="m-3 h-5 w-40" />}
        {!isAll && knownSchools && (
          <ChoiceList
            variant="form"
            choices={[...removedSchools, ...knownSchools]}
            chosen={schools}
            texts={{ searchLabel: t('schools.search') }}
            onChange={(chosen) => onChange({ schools: chosen })}
          />
        )}
      </RadioGroup>
    </>
  )
}

type RadioGroupProps<Value extends string> = {
  legend: string
  error: string | undefined
  /** The value is shown as text if it cannot be changed here. */
  fixedText: string | false | undefined
  choices: readonly { value: Value; label: string; hint?: string }[]
  value: Value
  onChoose: (value: Value) => void
  children?: ReactNode
}

/** The error stands above the choices, because the list of schools below them may be long. */
function RadioGroup<Value extends string>(props: RadioGroupProps<Value>) {
  const { legend, error, fixedText, choices, value: chosen, onChoose, children } = props
  const id = useId()
  return (
    <fieldset data-invalid={error && ''} aria-describedby={error && id}>
      <legend className="mb-1.5 text-sm font-medium">{legend}</legend>
      {error && (
        <p id={id} role="alert" className="mb-1.5 text-xs text-danger">
          {error}
        </p>
      )}
      <div className={`overflow-hidden rounded-md border ${error ? 'border-danger' : 'border-line'}`}>
        {fixedText ? (
          <p className="px-3 py-2 text-sm font-medium wrap-anywhere">{fixedText}</p>
        ) : (
          <>
            {choices.map(({ value, label, hint }) => (
              <label
                key={value}
                className="flex min-h-9 items-center gap-3 border-b border-line-soft px-3 py-1.5 last:border-b-0 hover:bg-hover has-checked:bg-fill has-focus-visible:bg-hover touch:min-h-11"
              >
                <input
                  type="radio"
                  name={id}
                  aria-label={label}
                  aria-describedby={hint && `${id}-${value}`}
                  checked={value === chosen}
                  onChange={() => onChoose(value)}
                  className="size-4 shrink-0"
                />
                <span className="min-w-0">
                  <span className="block text-sm font-medium">{label}</span>
                  {hint && (
                    <span id={`${id}-${value}`} className="block text-xs text-mute">
                      {hint}
                    </span>
                  )}
                </span>
              </label>
            ))}
            {children}
          </>
        )}
      </div>
    </fieldset>
  )
}
