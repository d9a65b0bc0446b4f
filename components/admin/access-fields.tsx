import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { type ReactNode, useId } from 'react'
import { useSchoolNames } from '@/components/app/schools'
import { ChoiceList } from '@/components/ui/choice-list'
import { Loading } from '@/components/ui/load-failure'
import { highSchools } from '@/lib/api/queries'
import type { User } from '@/lib/contract/user'
import { ROLES } from './user-change'

type Access = Pick<User, 'role' | 'schools'>
type AccessFieldsProps = {
  access: Access
  /** What single sign-on gives is shown here, and changed there. */
  provided?: User['singleSignOn']
  errors: { role?: string | undefined; schools?: string | undefined }
  onAccess: (part: Partial<Access>) => void
  /** What is to be known of the chosen role. */
  children?: ReactNode
}

export function AccessFields({ access, provided, errors, onAccess, children }: AccessFieldsProps) {
  const { role, schools } = access
  const t = useTranslations('adminUsers')
  const roleName = useTranslations('common.role')
  const schoolNames = useSchoolNames()
  const found = useQuery(highSchools)
  const isAll = schools === 'all'
  const known = found.data?.highSchools.map(({ id, name }) => ({ value: id, label: name }))
  const removed = isAll ? [] : schools.filter((id) => !known?.some(({ value }) => value === id))
  const given = isAll ? t('schools.all') : schools.map(schoolNames.byId).join(', ') || t('schools.count', { count: 0 })
  return (
    <>
      {(provided?.role || provided?.schools) && <p className="text-xs text-mute">{t('signOn.given')}</p>}
      <FieldGroup legend={t('field.role')} error={errors.role}>
        {provided?.role ? (
          <p className="px-3 py-2 text-sm font-medium">{roleName(role)}</p>
        ) : (
          ROLES.map((choice) => (
            <Choice
              key={choice}
              group="role"
              label={roleName(choice)}
              hint={t(`roleHint.${choice}`)}
              isChosen={role === choice}
              onChoose={() => onAccess({ role: choice })}
            />
          ))
        )}
      </FieldGroup>
      {children}
      <FieldGroup legend={t('schools.legend')} error={errors.schools}>
        {provided?.schools ? (
          <p className="px-3 py-2 text-sm font-medium wrap-anywhere">{given}</p>
        ) : (
          <>
            <Choice
              group="scope"
              label={t('schools.all')}
              hint={t('schools.allHint')}
              isChosen={isAll}
              onChoose={() => onAccess({ schools: 'all' })}
            />
            <Choice
              group="scope"
              label={t('schools.some')}
              isChosen={!isAll}
              onChoose={() => isAll && onAccess({ schools: [] })}
            />
            {!isAll && known === undefined && <Loading found={found} className="m-3 h-5 w-40" />}
            {!isAll && known !== undefined && (
              <ChoiceList
                look="form"
                choices={[...removed.map((id) => ({ value: id, label: t('schools.unknown', { id }) })), ...known]}
                chosen={schools}
                words={{ find: t('schools.search') }}
                onChange={(chosen) => onAccess({ schools: chosen })}
              />
            )}
          </>
        )}
      </FieldGroup>
    </>
  )
}

type FieldGroupProps = { legend: string; error?: string | undefined; children: ReactNode }

/** The fault is above them, because what is below may be long. */
function FieldGroup({ legend, error, children }: FieldGroupProps) {
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

function Choice({ group, label, hint, isChosen, onChoose }: ChoiceProps) {
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
